// What has a clock of its own: one list of it is asked when to wake, and told when the wall clock was set. What is not on
// that list can't be forgotten in one of the two.

import Board
import Tween

/// Something that falls due though nobody asks.
protocol Timed: AnyObject {
    /// The next instant at which it has something to do.
    var nextDue: Instant? { get }

    /// The wall clock was set: what runs on elapsed time moves along.
    /// - Parameter now: The present, as it is told from now on.
    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine)
}
