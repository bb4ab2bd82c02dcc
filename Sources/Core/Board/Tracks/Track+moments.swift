// What a track showed, or will show if nothing changes it, at instants other than now.

import Base
import Labels
package import Tween

/// A number at an instant.
package struct Moment: Sendable {
    /// How it is known.
    package enum Source: String, CaseIterable, Hashable, Sendable {
        /// From the motion that is under way.
        case motion
        /// Nothing has changed since.
        case rest
        /// The target of that time; how the number went there is not kept.
        case target
    }

    package let instant: Instant
    package let source: Source
    package let track: Track

    /// What it shows then.
    package var reading: Reading { track.reading(at: instant) }
}

/// Why it is not known what a number shows at an instant.
package enum UnknownMoment: Error, Hashable, Sendable {
    /// Before the first target that is kept.
    case beforeHistory(since: Instant)
    /// After the end of the motion that is under way.
    case afterMotion(end: Instant)
    /// In the future of a number that doesn't move.
    case afterNow
}

extension Track {
    /// The start of the motion under way; nil at rest, while it is paused, and backwards, where the start is still to come.
    package var motionStart: Instant? {
        guard let motion = run?.motion, !motion.isPaused, motion.playback.rate > 0 else { return nil }
        return motion.playback.startTime
    }

    /// Since when what it shows is known: since the motion under way began, or was last changed by a pause, a seek or another
    /// rate; at rest since its last change.
    package var knowledgeStart: Instant { run?.motion.playback.start ?? max(touched, pausedSince ?? touched) }

    /// Returns when what is known ends: with the motion under way, or now; nil for a motion without an end.
    package func knowledgeEnd(at now: Instant) -> Instant? {
        guard let motion = run?.motion, !motion.isPaused else { return now }
        return motion.end
    }

    /// Returns its state at an instant. One of whole milliseconds, as dates are written, stands for the start or the end that is
    /// within that millisecond.
    package func moment(at instant: Instant, now: Instant) throws(UnknownMoment) -> Moment {
        let (start, end) = (knowledgeStart, knowledgeEnd(at: now))
        var instant = instant
        if instant == start.cutToMilliseconds { instant = start }
        if let end, instant == end.cutToMilliseconds { instant = end }
        if let end, instant > end { throw isMoving ? .afterMotion(end: end) : .afterNow }
        if let run, instant >= start {
            var then = self
            if !run.motion.isPaused, let end = run.motion.end, instant >= end {
                _ = then.complete(at: end)
                then.waiting = []
            }
            return Moment(instant: instant, source: .motion, track: then)
        }
        if instant >= start { return Moment(instant: instant, source: .rest, track: self) }
        // With its present label and maximum, which have no history, and without times, which depend on what was posted.
        let target = try target(at: instant)
        var then = resting(at: target, aimedAt: target)
        then.pace = RateEstimator()
        return Moment(instant: instant, source: .target, track: then)
    }

    /// Returns it without what follows from its motion: waiting updates, actions and milestones. It shows the same, and takes less
    /// memory to keep.
    package var withoutConsequences: Track {
        var track = self
        track.waiting = []
        track.definition = nil
        track.run = run.map {
            Run(
                motion: $0.motion, maximum: $0.maximum, animation: $0.animation, request: $0.request,
                origin: $0.origin, then: nil, otherwise: nil, milestones: [], lastValue: $0.lastValue)
        }
        return track
    }

    /// Returns it at rest, without anything that waits.
    private func resting(at value: ExactDecimal, aimedAt target: ExactDecimal) -> Track {
        var track = aimed(at: target)
        track.rest = .exact(value)
        track.run = nil
        track.waiting = []
        track.pausedSince = nil
        return track
    }

    private func target(at instant: Instant) throws(UnknownMoment) -> ExactDecimal {
        let milliseconds = instant.milliseconds
        guard milliseconds < history.since else { return target }
        let point = history.past.last { $0.milliseconds <= milliseconds }
        guard let target = point.flatMap({ ExactDecimal($0.value) }) else {
            let since = history.past.first?.milliseconds ?? history.since
            throw .beforeHistory(since: Instant(nanoseconds: since.multipliedSaturated(by: 1_000_000)))
        }
        return target
    }
}

extension Instant {
    /// The last whole millisecond before it, as dates are written.
    fileprivate var cutToMilliseconds: Instant {
        let rest = nanoseconds % 1_000_000
        return advanced(byNanoseconds: -(rest < 0 ? rest + 1_000_000 : rest))
    }
}
