// What readers with a locale of their own are shown, made once for each locale. Readers without one see what was posted.

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

    /// Returns what is shown in a variant's locale; nil until that is compiled. A motion's end waits for nothing.
    func shown(_ posted: FrameState.Subject, in variant: Variant, at now: Instant) -> FrameState.Subject? {
        guard let locale = locales[variant.locale] else { return posted }
        switch posted {
        case .track(let track): return readers.track(track, in: locale).map { .track($0) }
        case .schedule(let schedule, let isHeld):
            return readers.schedule(schedule, in: locale).map { .schedule($0, isHeld: isHeld) }
        case .end(let reading, let track, let isRemoved):
            let shown = self.reading(reading, of: track, in: variant.locale, at: now)
            return .end(shown, track.flatMap { readers.track($0, in: locale) }, isRemoved: isRemoved)
        }
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
}
