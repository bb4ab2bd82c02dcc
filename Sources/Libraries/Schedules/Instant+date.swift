// Dates as instants, whose origin is 1970-01-01T00:00:00Z wherever something is scheduled.

import Base
public import Tween

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Instant {
    /// A date, with nanoseconds since 1970; the nearest there is beyond the years 1678 to 2262.
    public init(_ date: Date) {
        self.init(nanoseconds: Int64(saturating: (date.timeIntervalSince1970 * 1e9).rounded()))
    }
}

extension Date {
    /// An instant whose origin is 1970.
    public init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.nanoseconds) / 1e9)
    }
}
