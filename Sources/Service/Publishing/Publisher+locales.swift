// Frames and events for readers with a locale of their own, made once for each locale and variant. Topics without such
// readers don't get here.

import Base
import Board
package import EventStream
import Labels
import Machine
import Tween
import Wire

extension Publisher {
    /// The number of locales with readers.
    package var localeCount: Int { locales.count }

    /// Whether there is room for a stream in its locale.
    package func admits(_ request: StreamRequest) -> Bool {
        request.locale.map { locales.admits($0, of: request.owner) } ?? true
    }

    /// Returns a track in a variant's locale; nil until its formats are compiled for it.
    func shown(_ track: Track, in variant: Variant) -> Track? {
        guard let locale = locales[variant.locale] else { return track }
        return readers.track(track, in: locale)
    }

    /// Returns a schedule in a variant's locale; nil until its words are compiled.
    func shown(_ schedule: Schedule, in variant: Variant) -> Schedule? {
        guard let locale = locales[variant.locale] else { return schedule }
        return readers.schedule(schedule, in: locale)
    }

    /// Publishes a track's frames in the locales of readers, for variants whose contents have changed.
    /// - Parameter owner: The owner of the variants; nil for all.
    /// - Returns: Whether there was one.
    @discardableResult
    func publishLocalised(
        ofTrack slot: Int, on topic: TopicIndex, of owner: Int32?, _ stamp: FrameStamp, in engine: borrowing Engine,
        at now: Instant
    ) -> Bool {
        var isShown = false
        guard let track = engine.tracks[slot] else { return false }
        for variant in hub.localised(watching: topic) where !variant.isMotion || track.run == nil {
            if let owner, hub.owner(of: variant, watching: topic) != owner { continue }
            guard let shown = shown(track, in: variant) else {
                due.waiting.add(.track(slot))
                continue
            }
            let position = shown.position(at: now)
            let share = shown.share(of: position, at: now)
            text.removeAll(keepingCapacity: true)
            shown.appendText(position, at: now, escaped: true, to: &text)
            extras.make(variant, of: shown, showing: position, topic: topic, at: now)
            guard let audience = extras.show(text, fraction: share?.fraction, value: position.double) else { continue }
            isShown = true
            hub.publishFrame(topic, variant, for: audience) { bytes in
                appendFrame(of: shown, position, share, topic: topic, variant: variant, stamp, at: now, to: &bytes)
            }
        }
        return isShown
    }

    /// Publishes the final frames of a motion in the locales of readers.
    /// - Parameter track: The track as the motion left it; nil if it was removed.
    /// - Returns: Whether there was one.
    func publishLocalisedEnd(
        _ reading: Reading, of track: Track?, isRemoved: Bool, on topic: TopicIndex, _ prefix: borrowing FramePrefix,
        _ stamp: FrameStamp, at now: Instant
    ) -> Bool {
        var isShown = false
        for variant in hub.localised(watching: topic) {
            let shown = track.flatMap { self.shown($0, in: variant) }
            let reading = self.reading(reading, of: track, in: variant.locale, at: now)
            text.removeAll(keepingCapacity: true)
            JSONText.appendEscaped(reading.text, to: &text)
            if let shown, !isRemoved {
                extras.make(variant, of: shown, showing: reading.value, topic: topic, isFinal: true, at: now)
            } else {
                extras.clear(variant, topic: topic)
            }
            let isExact = extras.hasShown(reading.value.double)
            let audience = extras.show(
                text, fraction: reading.fraction, value: reading.value.double, isWhole: !isRemoved, isFinal: true)
            guard let audience = variant.isText || isExact ? audience : .all else { continue }
            isShown = true
            publishFinalFrame(reading, as: variant, on: topic, prefix, stamp, for: audience)
        }
        return isShown
    }

    /// Returns what was shown at a motion's end in a locale, by its final rendering. Returns it as it was posted if the
    /// locale is not compiled yet, since an end waits for nothing, or for merged ends if the label has changed since.
    func reading(_ posted: Reading, of track: Track?, in locale: UInt8, at now: Instant) -> Reading {
        if let rendering = posted.rendering, let locale = locales[locale],
            let shown = readers.rendering(rendering, in: locale)
        {
            return posted.written(by: shown) ?? posted
        }
        guard let track, let texts = texts(of: posted.value, track, in: locale, at: now), texts.posted == posted.text
        else { return posted }
        return Reading(
            value: posted.value, text: texts.shown, fraction: posted.fraction, percent: posted.percent)
    }

    /// Rewrites a past event for a reader: a completion gets its text in the reader's locale, unless the label has changed
    /// since; a notification loses an origin that the reader may not read.
    func rewritten(
        _ event: [UInt8], on topic: TopicName, _ reader: Hub.Reader, in engine: borrowing Engine, at now: Instant
    ) -> [UInt8]? {
        if topic.kind == .notification {
            return ActionOrigin.withheld(from: event) { reader.readable?.matches(TopicName($0)) ?? true }
        }
        guard let kind = topic.kind.resource, kind != .schedule,
            let track = engine.track(ResourceName(kind, topic.id))
        else { return nil }
        return EventEncoder.rewritten(event) { texts(of: .exact($0), track, in: reader.variant.locale, at: now) }
    }

    /// Returns a value's text as the track writes it and in a locale; nil until the locale is compiled.
    private func texts(
        of value: Position, _ track: Track, in locale: UInt8, at now: Instant
    ) -> (posted: [UInt8], shown: [UInt8])? {
        guard let locale = locales[locale], let shown = readers.track(track, in: locale) else { return nil }
        var texts: (posted: [UInt8], shown: [UInt8]) = ([], [])
        track.appendText(value, at: now, escaped: false, to: &texts.posted)
        shown.appendText(value, at: now, escaped: false, to: &texts.shown)
        return texts
    }

    /// Publishes a countdown's frames to readers with their own locale.
    func publishLocalised(
        _ posted: Schedule, slot: Int, on topic: TopicIndex, isHeld: Bool, _ stamp: FrameStamp, at now: Instant
    ) {
        for variant in hub.localised(watching: topic) {
            guard let schedule = shown(posted, in: variant) else {
                due.waiting.add(.schedule(slot))
                continue
            }
            let shown = ScheduleEncoder.text(of: schedule, at: now)
            extras.clear(variant, topic: topic)
            guard let audience = extras.show(shown, fraction: nil) else { continue }
            hub.publishFrame(topic, variant, for: audience) { bytes in
                appendCountdown(schedule, shown, isHeld: isHeld, variant: variant, stamp, at: now, to: &bytes)
            }
        }
    }

    /// Whether a topic has subscribers that interpolate themselves.
    func wantsMotions(of topic: TopicIndex) -> Bool {
        hub.variants(watching: topic).contains(where: \.isMotion)
            || hub.localised(watching: topic).contains(where: \.isMotion)
    }

    /// Publishes a changed motion to subscribers that interpolate.
    /// - Returns: The number of bytes.
    func publishMotion(of track: Track, slot: Int, on topic: TopicIndex, at now: Instant) -> Int {
        var bytes = 0
        let posted = hub.variants(watching: topic).filter(\.isMotion)
        for variant in posted + hub.localised(watching: topic).filter(\.isMotion) {
            guard let shown = shown(track, in: variant) else {
                due.waiting.add(.track(slot))
                continue
            }
            let payload = MotionEncoder.payload(of: shown, at: now)
            hub.publishMotion(topic, variant, payload: payload)
            bytes += payload.count
        }
        return bytes
    }
}
