// Interpolates exact decimals: amounts never show digits that they don't have.

public import Labels
public import Tween

extension ExactDecimal: Interpolatable {
    /// Exactly `start` at 0 and exactly `end` at 1. In between, the nearest decimal with as many digits after the point as
    /// the longer end, halves away from zero: amounts in cents stay whole cents.
    public static func interpolated(from start: ExactDecimal, to end: ExactDecimal, at share: Double) -> ExactDecimal {
        if share == 0 { return start }
        if share == 1 { return end }
        let scale = max(start.scale, end.scale)
        let distance = end.adding(-start)?.double ?? end.double - start.double
        // Adds a double's step to the exact start: 16 digits of the distance, however long the start is.
        if let step = ExactDecimal(distance * share)?.rounded(to: scale), let value = start.adding(step) {
            return value.rounded(to: scale)
        }
        return share < 0.5 ? start : end
    }
}
