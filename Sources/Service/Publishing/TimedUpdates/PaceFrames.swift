// Watched progresses that show other things as time goes by though nothing moves: how long it has taken, how long it
// will take. Two looks a second, and a frame only where one sees a difference.

import Base
import Board
import Labels
import RecurrenceRules
import Tween

/// The timetable of such looks, by track slot.
final class PaceFrames: Timed {
    private var timetable = Timetable()

    /// Forgets everything: slots are others' from now on.
    func removeAll() {
        timetable = Timetable()
    }

    /// The next instant at which a look is due.
    var nextDue: Instant? { timetable.first }

    /// Sets a slot's next look.
    /// - Parameters:
    ///   - showsDisplay: Somebody watches the descriptor's strings, which tell the time that is left.
    func follow(_ slot: Int, showsDisplay: Bool, isWatched: Bool, at now: Instant, in engine: borrowing Engine) {
        guard isWatched, let track = engine.tracks[slot], track.name.kind == .progress,
            let start = track.pace.startTime, track.followsTime || (showsDisplay && track.isTimed)
        else {
            timetable.set(slot, due: nil)
            return
        }
        // From its start on: whole seconds are shown when they are over, and at the same ticks by all who have the track.
        let beat = Beat(
            from: Instant(nanoseconds: Int64(saturating: start * 1e9)), everySeconds: RateEstimator.refreshInterval)
        timetable.set(slot, due: beat.next(after: now))
    }

    /// Moves all looks along a timeline that was set anew.
    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        timetable.shift(byNanoseconds: nanoseconds)
    }

    /// Takes a slot that is to be looked at by now.
    func next(by now: Instant) -> Int? { timetable.next(dueBy: now)?.slot }
}
