// When the wall clock is set: what runs on elapsed time moves along, so that no value jumps and no interval is cut or
// stretched; what has a date keeps it.

import Labels
import Tween

extension Engine {
    /// Takes over that instants are told `nanoseconds` later than before (earlier when negative).
    package mutating func shiftTimeline(byNanoseconds nanoseconds: Int64) {
        for case var track? in tracks {
            track.shiftTimeline(byNanoseconds: nanoseconds)
            place(track, changed: track.run != nil || track.timeToLive != nil)
        }
        for case var schedule? in schedules where !schedule.isDated && schedule.remaining == nil {
            schedule.due = schedule.due.advanced(byNanoseconds: nanoseconds)
            place(schedule)
        }
    }
}

extension Track {
    fileprivate mutating func shiftTimeline(byNanoseconds nanoseconds: Int64) {
        touched = touched.advanced(byNanoseconds: nanoseconds)
        run?.motion.shift(byNanoseconds: nanoseconds)
        cadence.shift(byNanoseconds: nanoseconds)
        pace.shift(bySeconds: Double(nanoseconds) / 1e9)
    }
}
