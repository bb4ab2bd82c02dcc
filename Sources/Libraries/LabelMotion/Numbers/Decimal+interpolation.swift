// Interpolates Foundation's decimals, for observers that want them.

public import Tween

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Decimal: Interpolatable {
    /// Exactly `start` at 0 and exactly `end` at 1; in between the nearest value that `share`, a double, can express.
    public static func interpolated(from start: Decimal, to end: Decimal, at share: Double) -> Decimal {
        share == 0 ? start : share == 1 ? end : start + (end - start) * Decimal(share)
    }
}
