// Watched schedules, and when each one's text changes next: a countdown costs one frame a second, and no ticks in between.

import Board
import RecurrenceRules
import Tween
import Wire

/// The timetable of countdown frames, by schedule slot.
final class Countdowns: Timed {
    private var timetable = Timetable()
    private var watched: Set<Int> = []

    /// Forgets everything, because the slots belong to other schedules now.
    func removeAll() {
        timetable = Timetable()
        watched = []
    }

    /// The next instant at which a watched countdown changes.
    var nextDue: Instant? { timetable.first }

    func setWatched(_ isWatched: Bool, slot: Int, at now: Instant, in engine: borrowing Engine) {
        if isWatched { watched.insert(slot) } else { watched.remove(slot) }
        track(slot, at: now, in: engine)
    }

    /// Sets a slot's next frame from its schedule; none if that is paused or removed.
    func track(_ slot: Int, at now: Instant, in engine: borrowing Engine) {
        guard watched.contains(slot), let schedule = engine.schedules[slot], !engine.isHeld(schedule) else {
            timetable.set(slot, due: nil)
            return
        }
        if schedule.isEnded {
            timetable.set(slot, due: schedule.wordsDue.flatMap { $0 > now ? $0 : nil })
            return
        }
        let shown = ScheduleEncoder.secondsShown(of: schedule, at: now)
        let change = schedule.due.advanced(bySeconds: -Double(shown - 1))
        timetable.set(slot, due: shown > 0 ? max(change, now.advanced(bySeconds: 0.001)) : nil)
    }

    /// Recomputes every slot's next frame: dates stay, and intervals shift.
    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        for slot in watched.sorted() { track(slot, at: now, in: engine) }
    }

    /// Takes a slot whose text has changed by now.
    func next(by now: Instant) -> Int? { timetable.next(dueBy: now)?.slot }

    func forget(_ slot: Int) {
        watched.remove(slot)
        timetable.set(slot, due: nil)
    }
}
