// Streams: who may open one, what it gets first, which topics it watches.

import Board
import EventStream
import HTTPTransport
import Tween
import Wire

extension Conductor {
    /// Answers a request for a stream.
    func open(_ request: StreamRequest, on exchange: any Exchange) {
        if request.endsWithTopic, let name = request.resource, engine.slot(of: name) == nil {
            exchange.send(.problem(Problem(CommandError.notFound(name))))
            return
        }
        // A browser's EventSource stops for ever on anything but 200, so a full or draining server says so in-stream.
        guard !isDraining, parts.acceptor.hasRoom else {
            exchange.send(.farewell(isDraining ? "draining" : "full", retry: retryDelays.next() * Self.patience))
            return
        }
        exchange.stream(
            headers: StreamHead.headers, to: parts.acceptor,
            context: StreamHandover(StreamOpening(request: request), post: parts.post))
    }

    /// How much longer than after a mere disconnect a client should wait that found no room.
    private static let patience = 10

    /// Subscribes a stream whose socket is ours.
    func open(_ opening: StreamOpening, _ key: StreamKey, at now: Instant) {
        let request = opening.request
        for pattern in request.patterns { attach(pattern) }
        let subscription = Subscription(
            key: key, patterns: request.patterns, variant: request.variant,
            framesPerSecond: request.framesPerSecond, once: request.endsAfterCompletion,
            endsWithTopic: request.endsWithTopic, lastEventID: request.lastEventID, after: opening.after,
            prelude: opening.prelude, retryMilliseconds: retryDelays.next())
        hub.subscribe(subscription, hello: hello(request, at: now)) { topic, variant, bytes in
            let kind = appendState(of: topic, variant: variant, at: now, to: &bytes)
            if !opening.prelude.isEmpty, text == opening.preludeText { bytes.removeAll() }
            return kind
        }
        if isDraining { hub.end(key, with: farewell("draining")) }
        if request.isSelfTest { selfTests.begin(key, at: now) }
        followWatchers(at: now)
        // Also where others watched already: this one may be the first to see the time left.
        for pattern in request.patterns where pattern.kind == .progress { followPaces(of: pattern, at: now) }
    }

    /// Goes on with the greeting of a stream of many topics.
    func greet(_ key: StreamKey, at now: Instant) {
        hub.continueGreeting(key) { appendState(of: $0, variant: $1, at: now, to: &$2) }
    }

    private func appendState(
        of topic: TopicIndex, variant: Variant, at now: Instant, to bytes: inout [UInt8]
    ) -> Hub.Snapshot {
        // On the grid of ticks: the frames that follow are never older than the state a stream begins with. But a countdown
        // that just began would show a second too many.
        let isCountdown = topics.name(of: topic)?.kind == .schedule
        let instant = isCountdown ? now : parts.clock.tickInstant(before: now)
        return appendSnapshot(of: topic, variant: variant, at: instant, to: &bytes)
    }

    func close(_ key: StreamKey, at now: Instant) {
        hub.unsubscribe(key)
        selfTests.end(key)
        followWatchers(at: now)
    }

    /// Ends all streams, each with a delay of its own to come back after.
    func drain(at now: Instant) {
        isDraining = true
        farewells = Farewells(hub.streamKeys.shuffled(), within: parts.configuration.drainTimeout, from: now)
        sayFarewell(at: now)
    }

    func sayFarewell(at now: Instant) {
        for key in farewells.take(at: now) {
            hub.end(key, with: farewell("draining"))
            hasUnsent = true
        }
    }

    private func farewell(_ reason: String) -> [UInt8] {
        SSE.event("bye", retry: retryDelays.next(), payload: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    // MARK: - Topics

    /// Makes topics of the resources that a pattern names, and of those alone that exist.
    private func attach(_ pattern: TopicPattern) {
        guard let kind = ResourceKind(pattern.kind) else { return }
        if pattern.isPrefix {
            for name in engine.names(of: kind) where name.id.hasPrefix(pattern.text) { attach(name) }
        } else {
            attach(ResourceName(kind, pattern.text))
        }
    }

    private func followPaces(of pattern: TopicPattern, at now: Instant) {
        let names = pattern.isPrefix ? engine.names(of: .progress) : [ResourceName(.progress, pattern.text)]
        for name in names where name.id.hasPrefix(pattern.text) {
            if let slot = engine.slot(of: name) { followPace(of: name, slot: slot, at: now) }
        }
    }

    private func attach(_ name: ResourceName) {
        guard let slot = engine.slot(of: name) else { return }
        let topic = hub.topic(TopicName(kind: TopicKind(name.kind), id: name.id))
        // Who named it before it was there is told of only now that there is somebody to tell.
        if topics.bind(topic, to: name, slot: slot) { hub.renewWatch(topic) }
    }

    /// Binds a resource to its topic where somebody listens for it: also for one that came just now.
    func attachIfWanted(_ topic: TopicName) {
        guard let kind = ResourceKind(topic.kind), hub.isWanted(topic) else { return }
        attach(ResourceName(kind, topic.id))
    }

    /// Unbinds a resource that has gone; whoever named it keeps listening for one of that name.
    func detach(_ name: ResourceName) {
        guard let topic = hub.index(of: TopicName(kind: TopicKind(name.kind), id: name.id)) else { return }
        topics.unbind(topic)
        extras.forget(topic)
        hub.release(topic)
    }

    /// Tells the board which resources came to be watched or ceased to be.
    func followWatchers(at now: Instant) {
        for topic in hub.takeWatchChanges() {
            let isWatched = !hub.variants(watching: topic).isEmpty
            guard let name = topics.name(of: topic), let slot = engine.slot(of: name) else {
                if !isWatched { hub.release(topic) }
                continue
            }
            if name.kind == .schedule {
                countdowns.setWatched(isWatched, slot: slot, at: now, in: engine)
            } else {
                engine.setWatched(isWatched, slot: slot, at: now)
            }
            guard !isWatched else { continue }
            topics.unbind(topic)
            extras.forget(topic)
            hub.release(topic)
        }
    }

    /// Whether frames of a resource go anywhere.
    func isWatched(_ name: ResourceName) -> Bool {
        guard let topic = hub.index(of: TopicName(kind: TopicKind(name.kind), id: name.id)) else { return false }
        return !hub.variants(watching: topic).isEmpty
    }

    private func hello(_ request: StreamRequest, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("epoch", hub.epoch)
            $0.member("tickRate", parts.configuration.tickRate)
            $0.member("heartbeat", parts.configuration.heartbeat)
            $0.member("fps", min(request.framesPerSecond ?? .infinity, Double(parts.configuration.tickRate)))
            $0.member("now", Timestamp.text(now))
            $0.member("version", ServiceConfiguration.version)
        }
        return json.bytes
    }
}

extension StreamRequest {
    /// The resource whose own stream it is.
    var resource: ResourceName? {
        guard let pattern = patterns.first, !pattern.isPrefix, let kind = ResourceKind(pattern.kind) else { return nil }
        return ResourceName(kind, pattern.text)
    }
}

extension ResourceKind {
    init?(_ kind: TopicKind) {
        switch kind {
        case .ticker: self = .ticker
        case .progress: self = .progress
        case .schedule: self = .schedule
        case .notification: return nil
        }
    }
}
