// Foundation's dates on the way from one to another.

public import Tween

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Date: InterpolatableVector {
    /// Seconds since 2001.
    public var coordinates: [Double] { [timeIntervalSinceReferenceDate] }

    /// The date so many seconds after 2001 began, in UTC.
    public init(coordinates: [Double]) { self.init(timeIntervalSinceReferenceDate: coordinates.first ?? 0) }
}
