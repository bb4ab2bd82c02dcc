// A point on the caller's timeline. The caller defines zero; there is no clock or calendar.

import Base

/// A point in time, in nanoseconds since an origin that the caller chooses (a clock's start, the Unix epoch).
public struct Instant: InstantProtocol, Hashable, Sendable {
    /// Nanoseconds since the origin; negative before it.
    public var nanoseconds: Int64

    /// Creates an instant a number of nanoseconds after the origin.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Returns this instant moved by `seconds`, rounded to the nearest nanosecond.
    ///
    /// Saturates at the ends of the range, and for moves of more than 292 years; NaN moves nothing.
    public func advanced(bySeconds seconds: Double) -> Instant {
        let shift = (seconds * 1e9).rounded()
        guard !shift.isNaN else { return self }
        // 2^63 is the first double beyond the range; the largest double below it converts exactly.
        guard shift < 0x1p63 else { return Instant(nanoseconds: .max) }
        guard shift >= -0x1p63 else { return Instant(nanoseconds: .min) }
        return advanced(byNanoseconds: Int64(saturating: shift))
    }

    /// Returns this instant moved by `shift` nanoseconds; saturates at the ends of the range.
    public func advanced(byNanoseconds shift: Int64) -> Instant {
        Instant(nanoseconds: nanoseconds.addingSaturated(shift))
    }

    /// Returns this instant moved by a duration, truncated to nanoseconds; saturates at the ends of the range.
    public func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let shift = seconds.multipliedSaturated(by: 1_000_000_000).addingSaturated(attoseconds / 1_000_000_000)
        return advanced(byNanoseconds: shift)
    }

    /// Returns the time from this instant to another; negative if the other comes first.
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Returns the seconds from `earlier` to this instant; negative if this one comes first.
    @inline(__always)
    public func seconds(since earlier: Instant) -> Double {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return (overflow ? Double(nanoseconds) - Double(earlier.nanoseconds) : Double(difference)) / 1e9
    }

    /// Returns whether an instant comes before another.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
