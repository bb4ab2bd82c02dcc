// Streams: who may open one, what it gets first, which topics it watches.

import Board
import EventStream
import HTTPTransport
import Primitives
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
            statistics.refusedStreams += 1
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
    func open(_ opening: StreamOpening, _ key: StreamID, at now: Instant) {
        let request = opening.request
        let subscription = Subscription(
            key: key, selection: request.selection, variant: request.variant,
            framesPerSecond: request.framesPerSecond, once: request.endsAfterCompletion,
            endsWithTopic: request.endsWithTopic, lastEventID: request.lastEventID, after: opening.after,
            prelude: opening.prelude, retryMilliseconds: retryDelays.next())
        var found: [ResourceName] = []
        hub.subscribe(
            subscription, hello: hello(request, at: now), existing: { attach($0, from: &$1, most: $2, &found) }
        ) {
            topic, variant, bytes in
            let kind = appendState(of: topic, variant: variant, at: now, to: &bytes)
            if !opening.prelude.isEmpty, text == opening.preludeText { bytes.removeAll() }
            return kind
        }
        if isDraining { hub.end(key, with: farewell("draining")) }
        if request.isSelfTest { selfTests.begin(key, at: now) }
        follow(found, at: now)
    }

    /// Goes on with a stream that has taken what it was told so far: what it missed, and the states of many topics.
    func greet(_ key: StreamID, at now: Instant) {
        var found: [ResourceName] = []
        hub.continueGreeting(key, existing: { attach($0, from: &$1, most: $2, &found) }) {
            appendState(of: $0, variant: $1, at: now, to: &$2)
        }
        follow(found, at: now)
    }

    /// Looks after resources that a stream has begun to watch.
    private func follow(_ names: [ResourceName], at now: Instant) {
        followWatchers(at: now)
        // Also where others watched already: this one may be the first to see the time left.
        for name in names where name.kind == .progress {
            if let slot = engine.slot(of: name) { followPace(of: name, slot: slot, at: now) }
        }
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

    func close(_ key: StreamID, at now: Instant) {
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

    /// Makes topics of the resources that a selection names, of those alone that exist, from a place on and of so many at
    /// most.
    private func attach(
        _ selection: TopicSelection, from place: inout SelectionPlace?, most: Int, _ names: inout [ResourceName]
    ) -> [TopicIndex] {
        guard var current = place else { return [] }
        var found: [TopicIndex] = []
        while current.pattern < selection.patterns.count, found.count < most {
            let pattern = selection.patterns[current.pattern]
            let room = most - found.count
            let named = resources(named: pattern, after: current.after, most: room)
            for name in named {
                guard let topic = attach(name, isListed: true) else { continue }
                found.append(topic)
                names.append(name)
            }
            if pattern.isPrefix, named.count == room {
                current.after = named.last?.id
            } else {
                current = SelectionPlace(pattern: current.pattern + 1)
            }
        }
        place = current.pattern < selection.patterns.count ? current : nil
        return found
    }

    private func resources(named pattern: TopicPattern, after id: String?, most: Int) -> [ResourceName] {
        guard let kind = ResourceKind(pattern.kind) else { return [] }
        guard pattern.isPrefix else { return [ResourceName(kind, pattern.text)] }
        return engine.names(of: kind, beginningWith: pattern.text, after: id, limit: most)
    }

    @discardableResult
    private func attach(_ name: ResourceName, isListed: Bool = false) -> TopicIndex? {
        guard let slot = engine.slot(of: name) else { return nil }
        let topicName = TopicName(kind: TopicKind(name.kind), id: name.id)
        let topic = isListed ? hub.listedTopic(topicName) : hub.topic(topicName)
        // Who named it before it was there is told of only now that there is somebody to tell.
        if topics.bind(topic, to: name, slot: slot) { hub.renewWatch(topic) }
        return topic
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

    /// The most topics that are looked after in one turn when they came to be watched or ceased to be: a stream of many
    /// topics delays nobody.
    private static let watchChangesPerTurn = 500

    /// Tells the board which resources came to be watched or ceased to be.
    func followWatchers(at now: Instant) {
        for topic in hub.takeVariantLosses() {
            let variants = hub.variants(watching: topic)
            extras.keep(variants, of: topic)
            if variants.plain.isEmpty { topics.lapse(topic) }
        }
        let changes = hub.takeWatchChanges(most: Self.watchChangesPerTurn)
        // The rest's turn is at the next tick.
        if hub.hasWatchChanges { hasUnsent = true }
        for topic in changes {
            let isWatched = !hub.variants(watching: topic).isEmpty
            // A topic's entry goes with its resource.
            guard let entry = topics.entry(of: topic) else {
                if !isWatched { hub.release(topic) }
                continue
            }
            if entry.name.kind == .schedule {
                countdowns.setWatched(isWatched, slot: entry.slot, at: now, in: engine)
            } else {
                engine.setWatched(isWatched, slot: entry.slot, at: now)
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
        guard let pattern = selection.patterns.first, !pattern.isPrefix, let kind = ResourceKind(pattern.kind) else {
            return nil
        }
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
