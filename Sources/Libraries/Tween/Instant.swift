// A point on the caller's timeline. It reads no clock and knows no calendar: the caller says what zero means.

import Base

/// A point in time, in nanoseconds since an origin that the caller chooses (a clock's start, the Unix epoch).
public struct Instant: InstantProtocol, Hashable, Sendable {
    /// Nanoseconds since the origin; negative before it.
    public var nanoseconds: Int64

    /// An instant that many nanoseconds after the origin.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// This instant moved by `seconds`, rounded to the nearest nanosecond.
    ///
    /// Saturates at the ends of the range, and for moves of more than 292 years; NaN moves nothing.
    public func advanced(bySeconds seconds: Double) -> Instant {
        let shift = (seconds * 1e9).rounded()
        guard !shift.isNaN else { return self }
        // 2^63 is the first double past the range; the largest double below it converts exactly.
        guard shift < 0x1p63 else { return Instant(nanoseconds: .max) }
        guard shift >= -0x1p63 else { return Instant(nanoseconds: .min) }
        return advanced(byNanoseconds: Int64(saturating: shift))
    }

    /// This instant moved by `shift` nanoseconds; saturates at the ends of the range.
    public func advanced(byNanoseconds shift: Int64) -> Instant {
        Instant(nanoseconds: nanoseconds.addingSaturated(shift))
    }

    /// This instant moved by a duration, to the nanosecond below; saturates at the ends of the range.
    public func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let shift = seconds.multipliedSaturated(by: 1_000_000_000).addingSaturated(attoseconds / 1_000_000_000)
        return advanced(byNanoseconds: shift)
    }

    /// The time from this instant to another; negative when that comes first.
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Seconds from `earlier` to this instant; negative when this one comes first.
    @inline(__always)
    public func seconds(since earlier: Instant) -> Double {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return (overflow ? Double(nanoseconds) - Double(earlier.nanoseconds) : Double(difference)) / 1e9
    }

    /// Whether an instant comes before another.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
