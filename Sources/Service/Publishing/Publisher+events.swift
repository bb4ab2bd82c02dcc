// Named events: the topic of each, and the final frame that precedes a completion.

import Base
import Board
import EventStream
import Labels
import Machine
import Tween
import Wire

extension Publisher {
    /// Publishes an event, after the last frame of the motion that it completes.
    func publish(_ event: NumberedEvent, of machine: borrowing Machine, at now: Instant) {
        hasUnsent = true
        let content = event.content
        guard var outgoing = OutgoingEvent(content) else { return }
        switch content {
        case .one(let one):
            outgoing.mark(one, in: machine.engine)
            publish(one, outgoing, event, of: machine, at: now)
        case .completions(let name, let group):
            let track = track(of: event, name, in: machine)
            if group.reason != .superseded {
                publishEnd(group.reading, of: name, track, isRemoved: false, in: machine, at: now)
            }
            publish(outgoing, content, event.number, in: machine) { locale in
                var group = group
                group.reading = reading(group.reading, of: track, in: locale, at: now)
                return EventEncoder.payload(of: group, name)
            }
        }
    }

    private func publish(
        _ one: BoardEvent, _ outgoing: OutgoingEvent, _ event: NumberedEvent, of machine: borrowing Machine,
        at now: Instant
    ) {
        var ended: Track?
        if case .complete(let name, let ending, let reading) = one {
            // A superseded motion has no final frame, because its successor continues from there. Its reading is only
            // rendered again for readers in other locales.
            if ending.reason != .superseded || localeCount > 0 { ended = track(of: event, name, in: machine) }
            if ending.reason != .superseded {
                publishEnd(
                    reading, of: name, ended, isRemoved: ending.reason == .removed, in: machine, at: ending.instant)
            }
        }
        publish(outgoing, .one(one), event.number, in: machine) { locale in
            guard case .complete(let name, let ending, let posted) = one else { return EventEncoder.payload(of: one) }
            let reading = reading(posted, of: ended, in: locale, at: now)
            return EventEncoder.payload(of: .complete(name, ending, reading))
        }
        if case .removed(let name, _) = one { detach(name) }
    }

    /// The track whose motion has ended, as it was then; its current state if it had no known subscribers.
    private func track(of event: NumberedEvent, _ name: ResourceName, in machine: borrowing Machine) -> Track? {
        if let track = event.track { return track }
        return machine.engine.track(name)
    }

    private func publish(
        _ outgoing: OutgoingEvent, _ content: NumberedEvent.Content, _ number: Int64, in machine: borrowing Machine,
        localised: (UInt8) -> [UInt8]
    ) {
        attachIfWanted(outgoing.topic, in: machine.engine)
        hub.publish(
            event: outgoing.name, number: number, on: outgoing.topic, effect: outgoing.effect,
            naming: outgoing.origin.map { EventAttribution(TopicName($0), length: ActionOrigin.length(of: $0)) },
            size: content.byteCount, payload: { content.payload }, localised: localised)
    }

    /// Publishes the final frame of a motion to all subscribers, before the completion, unless the last frame showed the
    /// same. If the text is the same but the number is new, streams that receive only text get no frame.
    /// - Parameters:
    ///   - isRemoved: Whether the track was removed, so that it has no members left.
    ///   - end: The instant that the frame is stamped with.
    private func publishEnd(
        _ reading: Reading, of name: ResourceName, _ track: Track?, isRemoved: Bool, in machine: borrowing Machine,
        at end: Instant
    ) {
        var track = track
        // Actions that waited for the end may have started already, with another rendering.
        if let rendering = reading.rendering, var ended = track {
            (ended.rendering, ended.run, ended.rest) = (rendering, nil, reading.value)
            track = ended
        }
        // Subscribers of the event that follows get this frame first.
        attachIfWanted(TopicName(name), in: machine.engine)
        guard let topic = topicOfEnd(of: name) else { return }
        let variants = hub.variants(watching: topic)
        guard !variants.isEmpty else { return }
        let state = FrameState(.end(reading, track, isRemoved: isRemoved), at: end, in: &text)
        publish(state, on: topic, in: variants, stamp(at: end))
    }

    /// Returns the topic of a motion's final frame; nil without subscribers. A resource that was created and removed within
    /// one turn is not bound; its topic is released when the removal has been published.
    private func topicOfEnd(of name: ResourceName) -> TopicIndex? {
        let topicName = TopicName(name)
        if let bound = hub.index(of: topicName), hub.slot(of: bound) != nil { return bound }
        guard hub.isWanted(topicName) else { return nil }
        let topic = hub.topic(topicName)
        frames.begin(topic, as: name)
        return topic
    }
}
