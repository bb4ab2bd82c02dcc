// Handles a change of the wall clock. Motions and intervals run on elapsed time, so they shift with the clock: no value
// jumps and no interval changes its length. Dates stay; calendar rules are evaluated again.

import Base
import Labels
import RecurrenceRules
package import Tween

/// Counts of what a clock change has shifted.
package struct TimelineShift: Hashable, Sendable {
    package var nanoseconds: Int64
    /// Motions, including paused ones, and times to live.
    package var motions = 0
    package var intervals = 0
    /// Calendar rules evaluated again, and dates skipped because the clock jumped over them.
    package var dates = 0
    /// Attempts to deliver webhooks.
    package var webhooks = 0
}

/// A change of the wall clock.
package struct ClockStep: Hashable, Sendable {
    /// Negative if it was set back.
    package var nanoseconds: Int64
    /// When that was, by the new clock.
    package var instant: Instant

    package init(nanoseconds: Int64, at instant: Instant) { (self.nanoseconds, self.instant) = (nanoseconds, instant) }
}

extension Engine {
    /// Shifts all instants by `nanoseconds` (earlier if negative).
    /// - Parameter now: The present by the new clock.
    @discardableResult
    package mutating func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) -> TimelineShift {
        var moved = TimelineShift(nanoseconds: nanoseconds)
        finishSweep()
        shiftPause(byNanoseconds: nanoseconds)
        shiftActionRates(byNanoseconds: nanoseconds)
        for case var track? in tracks {
            track.shiftTimeline(byNanoseconds: nanoseconds)
            let isMoved = track.run != nil || track.timeToLive != nil
            moved.motions += isMoved ? 1 : 0
            place(track, changed: isMoved)
        }
        for case let schedule? in schedules { shift(schedule, byNanoseconds: nanoseconds, at: now, &moved) }
        return moved
    }

    /// Moves a schedule that was stored before the clock was set.
    mutating func shift(restored schedule: Schedule, by step: ClockStep) {
        var moved = TimelineShift(nanoseconds: step.nanoseconds)
        shift(schedule, byNanoseconds: step.nanoseconds, at: step.instant, &moved)
    }

    private mutating func shift(
        _ known: Schedule, byNanoseconds nanoseconds: Int64, at now: Instant, _ moved: inout TimelineShift
    ) {
        var schedule = known
        guard schedule.isDated else {
            guard schedule.remaining == nil else { return }
            schedule.firing.shift(byNanoseconds: nanoseconds)
            place(schedule)
            moved.intervals += 1
            return
        }
        if nanoseconds > 0 {
            moved.dates += skipIfJumpedOver(schedule, byNanoseconds: nanoseconds, at: now) ? 1 : 0
        } else if schedule.firing.recompute(by: schedule.definition.plan, byNanoseconds: nanoseconds, at: now) {
            place(schedule)
            moved.dates += 1
        }
    }

    /// Skips a date that the clock jumped over, if the schedule skips missed dates.
    /// - Returns: Whether it was skipped.
    private mutating func skipIfJumpedOver(
        _ schedule: Schedule, byNanoseconds nanoseconds: Int64, at now: Instant
    ) -> Bool {
        let before = now.advanced(byNanoseconds: -nanoseconds)
        guard schedule.skips(at: now), !isHeld(schedule), schedule.due > before,
            now.seconds(since: schedule.due) > Self.lateness
        else { return false }
        skip(schedule, at: now)
        return true
    }
}

extension Track {
    /// Moves a stored track at rest to the present clock. Such tracks are not stored again when the clock is set, so their
    /// instants may lie in the future.
    mutating func resumeTimeline(at now: Instant) {
        guard run == nil, touched > now else { return }
        shiftTimeline(byNanoseconds: now.nanoseconds.subtractingSaturated(touched.nanoseconds))
    }

    mutating func shiftTimeline(byNanoseconds nanoseconds: Int64) {
        touched = touched.advanced(byNanoseconds: nanoseconds)
        history.shift(byNanoseconds: nanoseconds)
        run = run?.playing { $0.shift(byNanoseconds: nanoseconds) }
        cadence.shift(byNanoseconds: nanoseconds)
        pace.shift(bySeconds: Double(nanoseconds) / 1e9)
        pausedSince = pausedSince?.advanced(byNanoseconds: nanoseconds)
    }
}
