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
    /// The start of the motion under way, as a resource shows it; nil at rest and while it is paused.
    package var motionStart: Instant? {
        guard let motion = run?.motion, !motion.isPaused else { return nil }
        return motion.playback.startTime
    }

    /// When the motion under way began, or was last changed by a pause, a seek or another rate; nil at rest.
    package var knowledgeStart: Instant? { run?.motion.playback.start }

    /// Returns when what is known ends: with the motion under way, or now; nil for a motion without an end.
    package func knowledgeEnd(at now: Instant) -> Instant? {
        guard let motion = run?.motion, !motion.isPaused else { return now }
        return motion.end
    }

    /// Returns its state at an instant.
    package func moment(at instant: Instant, now: Instant) throws(UnknownMoment) -> Moment {
        if let end = knowledgeEnd(at: now), instant > end {
            throw isMoving ? .afterMotion(end: end) : .afterNow
        }
        if let start = knowledgeStart ?? (instant >= touched ? touched : nil), instant >= start {
            return Moment(instant: instant, source: run == nil ? .rest : .motion, track: self)
        }
        // With its present label and maximum, which have no history.
        return Moment(instant: instant, source: .target, track: resting(at: try target(at: instant)))
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
