// Watched progresses whose labels change with time alone: elapsed and remaining time. They are checked twice a second, and
// get a frame only if something has changed.

import Base
import Board
import Labels
import RecurrenceRules
import Tween

/// The timetable of these checks, by track slot.
final class PaceFrames: Timed {
    private var timetable = Timetable()

    /// Forgets everything, because the slots belong to other tracks now.
    func removeAll() {
        timetable = Timetable()
    }

    /// The next instant at which a check is due.
    var nextDue: Instant? { timetable.first }

    /// Sets a slot's next check.
    /// - Parameters:
    ///   - showsDisplay: Whether the descriptor's strings are watched, which include the remaining time.
    func track(_ slot: Int, showsDisplay: Bool, isWatched: Bool, at now: Instant, in engine: borrowing Engine) {
        guard isWatched, let track = engine.tracks[slot], track.name.kind == .progress,
            let start = track.pace.startTime, track.followsTime || (showsDisplay && track.isTimed)
        else {
            timetable.set(slot, due: nil)
            return
        }
        // Counted from its start, so that whole seconds change when they are over, and at the same ticks on all replicas.
        let beat = PeriodicInstant(
            from: Instant(nanoseconds: Int64(saturating: start * 1e9)), everySeconds: RateEstimator.refreshInterval)
        timetable.set(slot, due: beat.next(after: now))
    }

    /// Shifts all checks when the wall clock was set.
    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        timetable.shift(byNanoseconds: nanoseconds)
    }

    /// Takes a slot whose check is due by now.
    func next(by now: Instant) -> Int? { timetable.next(dueBy: now)?.slot }
}
