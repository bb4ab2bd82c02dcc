// Named events: which topic each belongs to, and the final frame that goes before a completion.

import Board
import EventStream
import Labels
import Tween
import Wire

extension Conductor {
    /// Publishes what happened on the board, in order.
    func publishEvents(at now: Instant) {
        for event in engine.takeEvents() {
            statistics.count(event)
            publish(event, at: now)
            hasUnsent = true
        }
    }

    private func publish(_ event: BoardEvent, at now: Instant) {
        // No frame of such a motion was ever shown; where there are many of them they are told together.
        if case .complete(let name, let animation, let reason, let reading, let isInstant) = event,
            reason == .superseded || isInstant,
            crowds.exceeds(name, animation: animation, reason: reason, reading)
        {
            return
        }
        if !crowds.isEmpty, let name = event.resource {
            for crowd in crowds.take(name) { publish(crowd, of: name, at: now) }
        }
        switch event {
        case .complete(let name, _, let reason, let reading, let isInstant):
            // A superseded motion has no last frame of its own: its successor goes on from there.
            if reason != .superseded { appendFinalFrame(reading, of: name, isForced: isInstant, at: now) }
            record(event, on: topic(name), effect: .completion)
        case .removed(let name, _):
            record(event, on: topic(name), effect: .removal)
            detach(name)
        case .milestone(let name, _, _), .scheduled(let name, _), .fired(let name, _, _), .paused(let name?),
            .resumed(let name?):
            record(event, on: topic(name))
        case .paused(nil), .resumed(nil):
            record(event, on: .all(.schedule))
        case .notification(let name, _, _):
            record(event, on: TopicName(kind: .notification, id: name))
        case .webhook(let url, let data, let name):
            enqueueWebhook(url, data: data, by: name, at: now)
        case .failed(let name, let error):
            Log.write(.action, "\(name.kind) \(name.id): an action was refused: \(Problem(error).detail)")
        }
    }

    /// Publishes what was merged since the last tick: one event for a crowd of motions that no frame ever showed.
    func publishCrowds(at now: Instant) {
        for (name, crowd) in crowds.takeAll() { publish(crowd, of: name, at: now) }
    }

    private func publish(_ crowd: CompletionCrowd, of name: ResourceName, at now: Instant) {
        if crowd.reason != .superseded { appendFinalFrame(crowd.reading, of: name, isForced: true, at: now) }
        let topic = topic(name)
        attachIfWanted(topic)
        hub.publish(event: "complete", on: topic, effect: .completion, payload: EventEncoder.payload(of: crowd, name))
        hasUnsent = true
    }

    private func topic(_ name: ResourceName) -> TopicName { TopicName(kind: TopicKind(name.kind), id: name.id) }

    private func record(_ event: BoardEvent, on topic: TopicName, effect: Hub.EventEffect = .none) {
        guard let name = EventEncoder.name(of: event) else { return }
        attachIfWanted(topic)
        hub.publish(event: name, on: topic, effect: effect, payload: EventEncoder.payload(of: event))
    }

    /// The last frame of a motion, unless it shows what the last one did: everyone gets it, before the completion.
    private func appendFinalFrame(_ reading: Reading, of name: ResourceName, isForced: Bool, at now: Instant) {
        // Who hears the event that follows sees the frame before it.
        if hub.isSomeoneArriving { attachIfWanted(topic(name)) }
        guard let topic = hub.index(of: topic(name)) else { return }
        let variants = hub.variants(watching: topic)
        guard !variants.isEmpty, let prefix = topics.prefix(of: topic) else { return }
        text.removeAll(keepingCapacity: true)
        JSONText.appendEscaped(reading.text, to: &text)
        let isNew =
            !variants.plain.isEmpty && topics.show(text, fraction: reading.fraction, on: topic, forced: isForced)
        var isShown = isNew
        // A track that was removed has no members to tell any more.
        let track = engine.track(name)
        let stamp = FrameStamp(unixNanoseconds: now.nanoseconds, tick: parts.clock.tick(of: now))
        for variant in variants {
            if let track {
                extras.make(variant, of: track, showing: reading.value, topic: topic, isFinal: true, at: now)
            } else {
                extras.clear(variant, topic: topic)
            }
            let isNews =
                variant.isPlain
                ? isNew
                : extras.show(text, fraction: reading.fraction, isWhole: track != nil, isForced: isForced)
            guard isNews else { continue }
            isShown = true
            hub.beginFinalFrame(topic, variant)
            if variant.isText {
                hub.batch.bytes.append(contentsOf: reading.text)
            } else {
                FrameEncoder.append(
                    prefix, value: reading.value, fraction: reading.fraction, percent: reading.percent,
                    escapedText: text, extras: extras.bytes, stamp: variant.isStamped ? stamp : nil,
                    to: &hub.batch.bytes)
            }
            hub.endFrame()
        }
        statistics.frames += isShown ? 1 : 0
    }
}

extension BoardEvent {
    /// The resource that it tells of.
    fileprivate var resource: ResourceName? {
        switch self {
        case .complete(let name, _, _, _, _), .milestone(let name, _, _), .removed(let name, _),
            .scheduled(let name, _), .fired(let name, _, _), .paused(let name?), .resumed(let name?):
            name
        case .paused(nil), .resumed(nil), .notification, .webhook, .failed: nil
        }
    }
}
