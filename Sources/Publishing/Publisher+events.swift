// Named events: which topic each belongs to, and the final frame that goes before a completion.

import Board
import EventStream
import Labels
import Machine
import Tween
import Wire

extension Publisher {
    /// Publishes an event, behind the last frame of the motion that it completes.
    func publish(_ event: NumberedEvent, of machine: borrowing Machine, at now: Instant) {
        hasUnsent = true
        switch event.content {
        case .one(let one): publish(one, event, of: machine, at: now)
        case .crowd(let name, let crowd):
            if crowd.reason != .superseded {
                let track = track(of: event, name, in: machine)
                appendFinalFrame(crowd.reading, of: name, track, isForced: true, in: machine, at: now)
            }
            tell(
                "complete", EventEncoder.payload(of: crowd, name), event.number, on: topic(name), .completion,
                in: machine)
        }
    }

    private func publish(
        _ one: BoardEvent, _ event: NumberedEvent, of machine: borrowing Machine, at now: Instant
    ) {
        guard let word = EventEncoder.name(of: one), let topic = topic(of: one) else { return }
        var effect = Hub.EventEffect.none
        switch one {
        case .complete(let name, _, let reason, let reading, let isInstant):
            // A superseded motion has no last frame of its own: its successor goes on from there.
            if reason != .superseded {
                let track = reason == .removed ? nil : track(of: event, name, in: machine)
                appendFinalFrame(reading, of: name, track, isForced: isInstant, in: machine, at: now)
            }
            effect = .completion
        case .removed: effect = .removal
        default: break
        }
        tell(word, EventEncoder.payload(of: one), event.number, on: topic, effect, in: machine)
        if case .removed(let name, _) = one { detach(name) }
    }

    /// The track whose motion has ended, as it was then; as it is now where nobody was known to watch.
    private func track(of event: NumberedEvent, _ name: ResourceName, in machine: borrowing Machine) -> Track? {
        if let track = event.track { return track }
        return machine.engine.track(name)
    }

    private func tell(
        _ event: String, _ payload: [UInt8], _ number: Int64, on topic: TopicName, _ effect: Hub.EventEffect,
        in machine: borrowing Machine
    ) {
        attachIfWanted(topic, in: machine.engine)
        hub.publish(event: event, number: number, on: topic, effect: effect, payload: payload)
    }

    /// Where an event is told; nil for what concerns no listener.
    private func topic(of event: BoardEvent) -> TopicName? {
        switch event.audience {
        case .resource(let name): topic(name)
        case .allSchedules: .all(.schedule)
        case .notification(let name): TopicName(kind: .notification, id: name)
        case .service: nil
        }
    }

    private func topic(_ name: ResourceName) -> TopicName { TopicName(kind: .resource(name.kind), id: name.id) }

    /// The last frame of a motion, unless it shows what the last one did: everyone gets it, before the completion.
    /// - Parameter track: Nil for one that was removed: it has no members to tell any more.
    private func appendFinalFrame(
        _ reading: Reading, of name: ResourceName, _ track: Track?, isForced: Bool, in machine: borrowing Machine,
        at now: Instant
    ) {
        // Who hears the event that follows sees the frame before it.
        attachIfWanted(topic(name), in: machine.engine)
        guard let topic = hub.index(of: topic(name)) else { return }
        let variants = hub.variants(watching: topic)
        guard !variants.isEmpty, let prefix = topics.prefix(of: topic) else { return }
        text.removeAll(keepingCapacity: true)
        JSONText.appendEscaped(reading.text, to: &text)
        let isNew =
            !variants.plain.isEmpty && topics.show(text, fraction: reading.fraction, on: topic, forced: isForced)
        var isShown = isNew
        let stamp = FrameStamp(unixNanoseconds: now.nanoseconds, tick: grid.tick(of: now))
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
            hub.publishFrame(topic, variant, isFinal: true) { bytes in
                guard !variant.isText else { return bytes.append(contentsOf: reading.text) }
                FrameEncoder.append(
                    prefix, value: reading.value, fraction: reading.fraction, percent: reading.percent,
                    escapedText: text, extras: extras.bytes, stamp: variant.isStamped ? stamp : nil, to: &bytes)
            }
        }
        frameCount += isShown ? 1 : 0
    }
}
