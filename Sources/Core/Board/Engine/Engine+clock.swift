// When the wall clock is set: what runs on elapsed time moves along, so that no value jumps and no interval is cut or
// stretched; what has a date keeps it; what goes by a rule of the calendar is looked at anew.

import Base
import Labels
import RecurrenceRules
package import Tween

/// What was moved along with a clock that was set.
package struct TimelineShift: Hashable, Sendable {
    package var nanoseconds: Int64
    /// Motions, paused ones among them, and times to live.
    package var motions = 0
    package var intervals = 0
    /// Rules that were looked at anew, and dates that were jumped over and left out.
    package var dates = 0
    /// Attempts to call one.
    package var webhooks = 0
}

extension Engine {
    /// Takes over that instants are told `nanoseconds` later than before (earlier when negative).
    /// - Parameter now: The present, as it is told from now on.
    @discardableResult
    package mutating func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) -> TimelineShift {
        var moved = TimelineShift(nanoseconds: nanoseconds)
        finishSweep()
        shiftPause(byNanoseconds: nanoseconds)
        for case var track? in tracks {
            track.shiftTimeline(byNanoseconds: nanoseconds)
            let isMoved = track.run != nil || track.timeToLive != nil
            moved.motions += isMoved ? 1 : 0
            place(track, changed: isMoved)
        }
        for case var schedule? in schedules {
            guard schedule.isDated else {
                guard schedule.remaining == nil else { continue }
                schedule.firing.shift(byNanoseconds: nanoseconds)
                place(schedule)
                moved.intervals += 1
                continue
            }
            if nanoseconds > 0 {
                moved.dates += skipIfJumpedOver(schedule, byNanoseconds: nanoseconds, at: now) ? 1 : 0
            } else if schedule.firing.lookAnew(by: schedule.definition.plan, byNanoseconds: nanoseconds, at: now) {
                place(schedule)
                moved.dates += 1
            }
        }
        return moved
    }

    /// A date that the clock jumped over was missed, as during an outage.
    /// - Returns: Whether it is left out for that.
    private mutating func skipIfJumpedOver(
        _ schedule: Schedule, byNanoseconds nanoseconds: Int64, at now: Instant
    ) -> Bool {
        let before = now.advanced(byNanoseconds: -nanoseconds)
        guard schedule.leavesOut(at: now), !isHeld(schedule), schedule.due > before,
            now.seconds(since: schedule.due) > Self.lateness
        else { return false }
        leaveOut(schedule, at: now)
        return true
    }
}

extension Track {
    /// At rest it is not stored anew when the clock is set: what its record has of times to come is of another timeline.
    mutating func takeUpTimeline(at now: Instant) {
        guard run == nil, touched > now else { return }
        shiftTimeline(byNanoseconds: now.nanoseconds.subtractingSaturated(touched.nanoseconds))
    }

    fileprivate mutating func shiftTimeline(byNanoseconds nanoseconds: Int64) {
        touched = touched.advanced(byNanoseconds: nanoseconds)
        history.shift(byNanoseconds: nanoseconds)
        run = run?.playing { $0.shift(byNanoseconds: nanoseconds) }
        cadence.shift(byNanoseconds: nanoseconds)
        pace.shift(bySeconds: Double(nanoseconds) / 1e9)
        pausedSince = pausedSince?.advanced(byNanoseconds: nanoseconds)
    }
}
