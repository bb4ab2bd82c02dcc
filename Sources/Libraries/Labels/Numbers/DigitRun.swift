// The digits of one rounded number around its point, with leading zeros added and optional zeros omitted. It decides which
// digits are shown; the plan decides how.

struct DigitRun {
    /// Digits before the point, at least one (or as many as the plan requires).
    let integerCount: Int
    /// Digits after the point.
    private(set) var decimalCount: Int
    let isZero: Bool
    private var digits = InlineArray<40, UInt8>(repeating: 0)
    /// The number of used `digits`; the number's remaining digits are zeros.
    private let known: Int
    /// Zeros before the first of `digits`.
    private let leading: Int

    /// - Parameter stripsIfInteger: Whether zeros after the point are only shown with other digits there.
    init(
        _ units: DecimalUnits, maximumDecimals: Int, minimumDecimals: Int, minimumIntegerDigits: Int,
        stripsIfInteger: Bool = false
    ) {
        let count = units.count
        // At least a zero must be shown.
        let minimum = minimumDecimals > 0 ? minimumIntegerDigits : max(1, minimumIntegerDigits)
        let integers = max(count - maximumDecimals, minimum)
        integerCount = integers
        isZero = units.units == 0
        known = count - units.zeros
        leading = integers + maximumDecimals - count
        if let narrow = UInt64(exactly: units.units) {
            Self.fill(&digits, with: narrow, upTo: known)
        } else {
            let (high, low) = units.units.quotientAndRemainder(dividingBy: UInt128(PowersOfTen.narrow(19)))
            Self.fill(&digits, with: UInt64(truncatingIfNeeded: low), upTo: known)
            // The high part of up to 39 digits has at most 20, which 64 bits hold here (less than 1.8e19).
            Self.fill(&digits, with: UInt64(truncatingIfNeeded: high), upTo: known - 19)
        }
        decimalCount = maximumDecimals
        decimalCount = trimmed(to: minimumDecimals, from: maximumDecimals)
        if stripsIfInteger, trimmed(to: 0, from: decimalCount) == 0 { decimalCount = 0 }
    }

    subscript(integer index: Int) -> UInt8 { digit(index) }
    subscript(decimal index: Int) -> UInt8 { digit(integerCount + index) }

    private func digit(_ index: Int) -> UInt8 {
        let position = index - leading
        return position >= 0 && position < known ? digits[position] : 0
    }

    private func trimmed(to minimum: Int, from maximum: Int) -> Int {
        var count = maximum
        while count > minimum, digit(integerCount + count - 1) == 0 { count -= 1 }
        return count
    }

    private static func fill(_ digits: inout InlineArray<40, UInt8>, with value: UInt64, upTo end: Int) {
        var rest = value
        var index = end
        while rest > 0, index > 0 {
            index -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            digits[index] = UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
    }
}
