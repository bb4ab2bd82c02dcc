// Converts dates to instants and back. Schedules count instants from 1970-01-01T00:00:00Z.

import Base
public import Tween

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Instant {
    /// Creates an instant from a date, with nanoseconds since 1970; clamped outside the years 1678 to 2262.
    public init(_ date: Date) {
        self.init(nanoseconds: Int64(saturating: (date.timeIntervalSince1970 * 1e9).rounded()))
    }
}

extension Date {
    /// Creates a date from an instant that counts from 1970.
    public init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.nanoseconds) / 1e9)
    }
}
