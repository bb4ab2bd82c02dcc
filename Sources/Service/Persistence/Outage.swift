// A period in which the store can't save changes.

import Storage
import Tween

/// Why nothing can be stored, and when the next attempt is due.
struct Outage {
    /// Seconds from a failed attempt to the next.
    static let pause = 1.0
    /// Marks an attempt in progress, whose end is unknown.
    static let underWay = Instant(nanoseconds: .max)

    var error: StoreError
    /// When to retry; `underWay` during an attempt.
    var nextAttempt: Instant

    var isUnderWay: Bool { nextAttempt == Self.underWay }
}
