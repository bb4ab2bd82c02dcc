// Foundation's dates, and its CGFloat where there is no Core Graphics, on the way from one to another.

public import Foundation
public import Tween

extension Date: InterpolatableVector {
    /// Seconds since 2001.
    public var coordinates: [Double] { [timeIntervalSinceReferenceDate] }

    /// The date so many seconds after 2001 began, in UTC.
    public init(coordinates: [Double]) { self.init(timeIntervalSinceReferenceDate: coordinates.first ?? 0) }
}

// Where there is Core Graphics, Tween has seen to it.
#if !canImport(CoreGraphics)
    extension CGFloat: InterpolatableVector {}
#endif
