// When the wall clock is set: what runs on elapsed time moves along, so that no value jumps and no interval is cut or
// stretched; what has a date keeps it; what goes by a rule of the calendar is looked at anew.

import Labels
import Recurrences
package import Tween

extension Engine {
    /// Takes over that instants are told `nanoseconds` later than before (earlier when negative).
    /// - Parameter now: The present, as it is told from now on.
    package mutating func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {
        finishSweep()
        schedulePause.since = schedulePause.since?.advanced(byNanoseconds: nanoseconds)
        for case var track? in tracks {
            track.shiftTimeline(byNanoseconds: nanoseconds)
            place(track, changed: track.run != nil || track.timeToLive != nil)
        }
        for case var schedule? in schedules {
            guard schedule.isDated else {
                guard schedule.remaining == nil else { continue }
                schedule.firing.shift(byNanoseconds: nanoseconds)
                place(schedule)
                continue
            }
            if nanoseconds > 0 {
                skipIfJumpedOver(schedule, byNanoseconds: nanoseconds, at: now)
            } else if schedule.firing.lookAnew(by: schedule.definition.plan, byNanoseconds: nanoseconds, at: now) {
                place(schedule)
            }
        }
    }

    /// A date that the clock jumped over was missed, as during an outage.
    private mutating func skipIfJumpedOver(_ schedule: Schedule, byNanoseconds nanoseconds: Int64, at now: Instant) {
        let before = now.advanced(byNanoseconds: -nanoseconds)
        guard schedule.leavesOut(at: now), !isHeld(schedule), schedule.due > before,
            now.seconds(since: schedule.due) > Self.lateness
        else { return }
        leaveOut(schedule, at: now)
    }
}

extension Track {
    fileprivate mutating func shiftTimeline(byNanoseconds nanoseconds: Int64) {
        touched = touched.advanced(byNanoseconds: nanoseconds)
        history.shift(byNanoseconds: nanoseconds)
        run = run?.playing { $0.shift(byNanoseconds: nanoseconds) }
        cadence.shift(byNanoseconds: nanoseconds)
        pace.shift(bySeconds: Double(nanoseconds) / 1e9)
    }
}
