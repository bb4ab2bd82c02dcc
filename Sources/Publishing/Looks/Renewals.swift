// Motions without an end are told for a stretch of time; before it is over, those who interpolate by themselves are told
// the next.

import Board
import Recurrences
import Tween

/// When such motions are told again, by track slot.
final class Renewals: Timed {
    private var timetable = Timetable()

    /// Forgets everything: slots are others' from now on.
    func removeAll() {
        timetable = Timetable()
    }

    var nextDue: Instant? { timetable.first }

    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        timetable.shift(byNanoseconds: nanoseconds)
    }

    func set(_ slot: Int, due: Instant?) { timetable.set(slot, due: due) }

    /// Takes a slot whose motion is to be told by now.
    func next(by now: Instant) -> Int? { timetable.next(dueBy: now)?.slot }
}
