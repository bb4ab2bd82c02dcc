// Percentages without rounding surprises: 29 of 100 is 29, and nothing is 100 % before it is done.

import Base

/// The arithmetic of progress. With a maximum of zero, zero and more count as done. A negative maximum is rejected earlier;
/// if one occurs, the result is 0.
public enum ProgressMath {
    /// The largest percentage, negated the smallest: 2^53 - 1, which every JSON reader keeps exactly; where `Int` has 32 bits,
    /// the largest of these.
    public static let largestPercent = Int(clamping: 9_007_199_254_740_991 as Int64)

    /// Returns `trunc(100 * current / maximum)` in exact integer arithmetic. Not limited to 0...100, but to
    /// ``largestPercent``.
    ///
    /// - Parameters:
    ///   - current: the completed amount.
    ///   - maximum: the total amount.
    ///   - decimals: digits after the point, clamped to 0...10. The last is the result's unit: with one, 425 is 42.5.
    public static func percent(current: ExactDecimal, maximum: ExactDecimal, decimals: Int = 0) -> Int {
        let decimals = min(max(decimals, 0), PercentStyle.maximumDecimals)
        guard maximum.coefficient > 0 else {
            return maximum.isNegative || current.isNegative ? 0 : whole(decimals)
        }
        let divisor = maximum.coefficient.magnitude
        let dividend = current.coefficient.magnitude
        // trunc(dividend * 10^places / divisor), digit by digit.
        let places = 2 + decimals + maximum.scale - current.scale
        let quotient: UInt128
        if places < 0 {
            let (product, overflow) = divisor.multipliedReportingOverflow(by: PowersOfTen.wide(-places))
            quotient = overflow ? 0 : dividend / product
        } else {
            quotient = longDivision(dividend, by: divisor, places: places)
        }
        let percent = min(Int(clamping: quotient), largestPercent)
        return current.isNegative ? -percent : percent
    }

    /// Returns the percentage of a moving value: truncated, never past the exact `endPercent` of its target, and below 100
    /// as long as the value is below the maximum.
    ///
    /// - Parameters:
    ///   - value: the shown value.
    ///   - maximum: the value that counts as 100 %.
    ///   - end: the value at the end of the motion.
    ///   - endPercent: its exact percentage.
    ///   - decimals: digits after the point, clamped to 0...10. The last is the unit of percentages.
    public static func percent(
        of value: Double, maximum: Double, end: Double, endPercent: Int, decimals: Int = 0
    ) -> Int {
        guard maximum >= 0, value.isFinite else { return 0 }
        if value == end { return endPercent }
        let whole = whole(decimals)
        if maximum == 0 { return value < 0 ? 0 : whole }
        let scaled = Double(whole) * value / maximum
        // A product that misses an integer percentage by its last bits counts as that percentage (0.29 of 1 is 28.999…96).
        let reach = 1e-12 * max(1, scaled.magnitude)
        var percent = truncated(scaled < 0 ? scaled - reach : scaled + reach)
        percent = value < end ? min(percent, endPercent) : max(percent, endPercent)
        return value < maximum ? min(percent, whole - 1) : max(percent, whole)
    }

    /// Returns 100 % in units of the last of this many decimals, up to 10.
    private static func whole(_ decimals: Int) -> Int {
        decimals > 0 ? 100 * Int(PowersOfTen.narrow(min(decimals, PercentStyle.maximumDecimals))) : 100
    }

    /// Returns `current / maximum`, unclamped. With a maximum of zero, 1, or 0 for negative values.
    public static func fraction(of value: Double, maximum: Double) -> Double {
        guard maximum > 0 else { return maximum == 0 && value >= 0 ? 1 : 0 }
        let fraction = value / maximum
        return fraction.isFinite ? fraction : 0
    }

    /// Returns the filled part of a graphic: the fraction clamped to 0...1.
    public static func shownFraction(_ fraction: Double) -> Double {
        fraction > 0 ? min(fraction, 1) : 0
    }

    private static func truncated(_ value: Double) -> Int {
        min(max(Int(saturating: value), -largestPercent), largestPercent)
    }

    private static func longDivision(_ dividend: UInt128, by divisor: UInt128, places: Int) -> UInt128 {
        var (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        for _ in 0..<places {
            // The remainder is below the divisor, so ten times it fits in two words and the digit in one.
            let tenfold = remainder.multipliedFullWidth(by: 10)
            let digit = divisor.dividingFullWidth((tenfold.high, tenfold.low))
            remainder = digit.remainder
            let (shifted, overflow) = quotient.multipliedReportingOverflow(by: 10)
            let (sum, carry) = shifted.addingReportingOverflow(digit.quotient)
            if overflow || carry { return .max }
            quotient = sum
        }
        return quotient
    }
}
