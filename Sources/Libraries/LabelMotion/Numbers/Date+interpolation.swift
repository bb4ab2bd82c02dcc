// Interpolates Foundation's dates, and its CGFloat on platforms without Core Graphics.

public import Foundation
public import Tween

extension Date: InterpolatableVector {
    /// Seconds since 2001.
    public var coordinates: [Double] { [timeIntervalSinceReferenceDate] }

    /// Creates a date from seconds since the start of 2001 in UTC.
    public init(coordinates: [Double]) { self.init(timeIntervalSinceReferenceDate: coordinates.first ?? 0) }
}

// With Core Graphics, Tween adds this conformance.
#if !canImport(CoreGraphics)
    extension CGFloat: InterpolatableVector {}
#endif
