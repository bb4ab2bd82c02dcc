// Instants at equal distances: who looks at them sees the same in every process, whenever that came to look.

import Base
import Tween

/// What comes again and again, counted from an instant that all know.
struct Beat {
    private let origin: Instant
    /// Nanoseconds between two.
    private let period: Int64

    /// - Parameter seconds: Between two; more than 0.
    init(from origin: Instant, everySeconds seconds: Double) {
        self.origin = origin
        period = max(1, Int64(saturating: seconds * 1e9))
    }

    /// The first one behind an instant.
    func next(after now: Instant) -> Instant {
        let since = now.nanoseconds.subtractingSaturated(origin.nanoseconds)
        let passed = since % period
        return now.advanced(byNanoseconds: period - (passed < 0 ? passed + period : passed))
    }
}
