// Parts with their own timers. They are in one list, which is used both for the next wake-up and when the wall clock is set,
// so that none is forgotten in one of the two.

import Board
import Tween

/// Something with a timer of its own.
protocol Timed: AnyObject {
    /// The next instant at which it has work.
    var nextDue: Instant? { get }

    /// Shifts its timers when the wall clock was set, since they measure elapsed time.
    /// - Parameter now: The current instant by the new clock.
    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine)
}
