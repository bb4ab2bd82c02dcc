// A number without its sign, with digits counted from the first one, for plans that depend on the number's size.

enum UnsignedNumber {
    case double(Double)
    case exact(ExactDecimal)

    /// The power of ten of the first digit: 3 for 1234, -2 for 0.05; nil for zero. For a double, that of its shortest
    /// decimal.
    var magnitude: Int? {
        switch self {
        case .double(let value): value > 0 ? Self.magnitude(of: value) : nil
        case .exact(let value):
            value.isZero ? nil : DecimalUnits.digitCount(value.coefficient.magnitude) - value.scale - 1
        }
    }

    func units(places: Int, rule: RoundingRule, isNegative: Bool) -> DecimalUnits {
        switch self {
        case .double(let value):
            DecimalUnits(rounding: value, places: places, rule: rule, isNegative: isNegative)
        case .exact(let value):
            DecimalUnits(
                rounding: value.coefficient.magnitude, scale: value.scale, places: places, rule: rule,
                isNegative: isNegative)
        }
    }

    private static func magnitude(of value: Double) -> Int {
        guard power(lowest) <= value, value < power(highest) else { return slowMagnitude(of: value) }
        // log10 from log2, off by at most one. The double nearest to a power of ten has that power as its shortest decimal,
        // so comparing doubles compares decimals.
        let guess = min(max((value.exponent * 1233) >> 12, lowest), highest)
        if value < power(guess) { return guess - 1 }
        return value < power(guess + 1) ? guess : guess + 1
    }

    private static func slowMagnitude(of value: Double) -> Int {
        guard let literal = DecimalLiteral(value.description.utf8, allowsExponent: true) else { return 0 }
        return DecimalUnits.digitCount(literal.coefficient) - literal.scale - 1
    }

    private static let lowest = -21
    private static let highest = 21

    /// Returns the double nearest to 10^exponent; exponent -22...22.
    private static func power(_ exponent: Int) -> Double {
        // Both operands are exact, so the quotient is the nearest.
        exponent < 0 ? 1 / PowersOfTen.double(-exponent) : PowersOfTen.double(exponent)
    }
}
