// Streams: who may open one, what it gets first, which topics it watches.

import Board
import EventStream
import HTTPTransport
import Tween
import Wire

extension Conductor {
    /// Answers a request for a stream.
    func open(_ request: StreamRequest, isDraining: Bool, on exchange: HTTPExchange) {
        if request.endsWithTopic, let name = request.resource, engine.slot(of: name) == nil {
            exchange.send(.problem(Problem(CommandError.notFound(name))))
            return
        }
        // A browser's EventSource stops for ever on anything but 200, so a full or draining server says so in-stream.
        guard !isDraining, acceptor.hasRoom else {
            exchange.send(.farewell(isDraining ? "draining" : "full"))
            return
        }
        exchange.stream(
            headers: StreamHead.headers, to: acceptor,
            context: StreamHandover(StreamOpening(request: request), post: post))
    }

    /// Subscribes a stream whose socket is ours.
    func open(_ opening: StreamOpening, _ key: StreamKey, at now: Instant) {
        let request = opening.request
        for pattern in request.patterns { attach(pattern) }
        let subscription = Subscription(
            key: key, patterns: request.patterns, variant: request.variant, fps: request.framesPerSecond,
            once: request.endsAfterCompletion, endsWithTopic: request.endsWithTopic,
            lastEventID: request.lastEventID, after: opening.after, prelude: opening.prelude,
            retryMilliseconds: retry.next())
        hub.subscribe(subscription, hello: hello(request, at: now)) { topic, variant, bytes in
            self.appendSnapshot(of: topic, variant: variant, at: now, to: &bytes)
        }
        followWatchers(at: now)
    }

    /// Makes topics of the resources that a pattern names.
    private func attach(_ pattern: TopicPattern) {
        guard let kind = ResourceKind(pattern.kind) else { return }
        guard pattern.isPrefix else {
            let name = ResourceName(kind, pattern.text)
            if let slot = engine.slot(of: name) { attach(name, slot: slot) }
            return
        }
        for name in engine.names(kind) where name.id.hasPrefix(pattern.text) {
            if let slot = engine.slot(of: name) { attach(name, slot: slot) }
        }
    }

    /// Binds a resource to its topic.
    @discardableResult
    func attach(_ name: ResourceName, slot: Int) -> TopicIndex {
        let topic = hub.topic(TopicName(kind: TopicKind(name.kind), id: name.id))
        topics.bind(topic, to: name, slot: slot)
        return topic
    }

    /// Tells the board which topics came to be watched or ceased to be.
    func followWatchers(at now: Instant) {
        for topic in hub.takeWatchChanges() {
            guard let name = topics.name(of: topic), let slot = engine.slot(of: name) else { continue }
            let isWatched = !hub.variants(watching: topic).isEmpty
            if name.kind == .schedule {
                countdowns.setWatched(isWatched, slot: slot, at: now, in: engine)
            } else {
                engine.setWatched(isWatched, slot: slot, at: now)
            }
            if !isWatched { topics.forgetShown(topic) }
        }
    }

    private func hello(_ request: StreamRequest, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("epoch", hub.epoch)
            $0.member("tickRate", configuration.tickRate)
            $0.member("heartbeat", configuration.heartbeat)
            $0.member("fps", min(request.framesPerSecond ?? .infinity, Double(configuration.tickRate)))
            $0.member("now", Timestamp.text(now))
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
