// A time in which the store takes nothing.

import Storage
import Tween

/// Why nothing can be stored, and when that is tried again.
struct Outage {
    /// Seconds between two attempts to go on.
    static let pause = 1.0
    /// Stands for the end of an attempt, whenever that is.
    static let underWay = Instant(nanoseconds: .max)

    var error: StoreError
    /// When to try again; the far future while an attempt is under way.
    var nextAttempt: Instant

    var isUnderWay: Bool { nextAttempt == Self.underWay }
}
