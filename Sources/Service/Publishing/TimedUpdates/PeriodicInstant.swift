// Instants at equal intervals, which are the same in every process, whenever it starts to use them.

import Base
import Tween

/// A repeating instant, counted from an origin that all processes know.
struct PeriodicInstant {
    private let origin: Instant
    /// Nanoseconds between two instants.
    private let period: Int64

    /// - Parameter seconds: Seconds between two instants; more than 0.
    init(from origin: Instant, everySeconds seconds: Double) {
        self.origin = origin
        period = max(1, Int64(saturating: seconds * 1e9))
    }

    /// Returns the first instant after another.
    func next(after now: Instant) -> Instant {
        let since = now.nanoseconds.subtractingSaturated(origin.nanoseconds)
        let passed = since % period
        return now.advanced(byNanoseconds: period - (passed < 0 ? passed + period : passed))
    }
}
