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
                appendFinalFrame(
                    group.reading, of: name, track, isRemoved: false, in: machine, at: now)
            }
            tell(outgoing, content, event.number, in: machine) { locale in
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
                appendFinalFrame(
                    reading, of: name, ended, isRemoved: ending.reason == .removed, in: machine, at: ending.instant)
            }
        }
        tell(outgoing, .one(one), event.number, in: machine) { locale in
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

    private func tell(
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
    private func appendFinalFrame(
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
        guard let topic = hub.index(of: TopicName(name)), let prefix = topics.prefix(of: topic) else {
            return appendOnlyFrame(reading, of: name, track, shownAt: end)
        }
        let variants = hub.variants(watching: topic)
        guard !variants.isEmpty else { return }
        let stamp = stamp(at: end)
        var isShown =
            variants.hasLocales
            && publishLocalisedEnd(
                reading, of: track, isRemoved: isRemoved, on: topic, prefix, stamp, at: end)
        text.removeAll(keepingCapacity: true)
        JSONText.appendEscaped(reading.text, to: &text)
        let value = reading.value.double
        let isExact = topics.hasShown(value, on: topic)
        let audience =
            variants.plain.isEmpty
            ? nil : topics.show(text, fraction: reading.fraction, value: value, on: topic, isFinal: true)
        for variant in variants {
            if let track, !isRemoved {
                extras.make(variant, of: track, showing: reading.value, topic: topic, isFinal: true, at: end)
            } else {
                extras.clear(variant, topic: topic)
            }
            let isWhole = track != nil && !isRemoved
            let isKnown = variant.isText || (variant.isPlain ? isExact : extras.hasShown(value))
            let audience =
                variant.isPlain
                ? audience
                : extras.show(
                    text, fraction: reading.fraction, value: value, isWhole: isWhole, isFinal: true)
            guard let audience = isKnown ? audience : .all else { continue }
            isShown = true
            publishFinalFrame(reading, as: variant, on: topic, prefix, stamp, for: audience)
        }
        frameCount += isShown ? 1 : 0
    }

    /// Publishes the only frame of a resource that was created and removed within one turn, after its motion ended.
    private func appendOnlyFrame(
        _ posted: Reading, of name: ResourceName, _ track: Track?, shownAt end: Instant
    ) {
        guard hub.isWanted(TopicName(name)) else { return }
        // The topic is released when the removal has been published.
        let topic = hub.topic(TopicName(name))
        for variant in Array(hub.variants(watching: topic)) + hub.localised(watching: topic) {
            let reading = reading(posted, of: track, in: variant.locale, at: end)
            text.removeAll(keepingCapacity: true)
            JSONText.appendEscaped(reading.text, to: &text)
            extras.clear(variant, topic: topic)
            publishFinalFrame(reading, as: variant, on: topic, FramePrefix(name), stamp(at: end), for: .all)
        }
        frameCount += 1
    }

    /// Publishes a motion's final frame in one variant; `text` and `extras` hold its contents.
    func publishFinalFrame(
        _ reading: Reading, as variant: Variant, on topic: TopicIndex, _ prefix: borrowing FramePrefix,
        _ stamp: FrameStamp, for audience: FrameAudience
    ) {
        hub.publishFrame(topic, variant, for: audience, isFinal: true) { bytes in
            guard !variant.isText else {
                return bytes.append(contentsOf: ControlCharacters.stripped(reading.text))
            }
            FrameEncoder.append(
                prefix, value: reading.value, fraction: reading.fraction, percent: reading.percent,
                escapedText: text, extras.members, stamp: variant.isStamped ? stamp : nil, to: &bytes)
        }
    }
}
