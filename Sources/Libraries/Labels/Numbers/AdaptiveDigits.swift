// A plan's settings for digits that depend on the number's size. NumberPlan+digits applies them.

/// Digits that depend on the number: significant digits, an exponent, decimals only if they aren't all zeros.
public struct AdaptiveDigits: Hashable, Sendable {
    /// An exponent after the digits: `1.2E4`.
    public struct Exponent: Hashable, Sendable {
        /// The exponent is a multiple of this: 1 in scientific notation, 3 in engineering notation.
        public let step: Int
        /// UTF-8 between the digits and the exponent: `E`, `×10^`.
        public let separator: [UInt8]
        /// UTF-8 before a negative exponent.
        public let minus: [UInt8]

        /// Creates an exponent; the step is clamped to 1...38.
        public init(step: Int, separator: [UInt8], minus: [UInt8]) {
            self.step = min(max(step, 1), ExactDecimal.maximumDigits)
            self.separator = separator
            self.minus = minus
        }

        /// Returns the exponent of a number whose first digit counts 10^magnitude.
        func power(_ magnitude: Int) -> Int {
            let rest = magnitude % step
            return magnitude - (rest < 0 ? rest + step : rest)
        }

        /// Appends an exponent in a script's digits.
        func append(_ power: Int, _ digits: DigitSet, to bytes: inout [UInt8]) {
            separator.append(to: &bytes)
            if power < 0 { minus.append(to: &bytes) }
            for digit in String(power.magnitude).utf8 { digits.append(digit - ASCII.zero, to: &bytes) }
        }
    }

    /// The fewest and most significant digits, within 1...21, instead of the plan's decimals.
    public let significant: ClosedRange<Int>?
    /// An exponent; nil for plain notation.
    public let exponent: Exponent?
    /// Whether decimals that are all zeros are omitted: `5`, but `5.50`.
    public let stripsIfInteger: Bool

    /// The allowed numbers of significant digits.
    public static let significantRange = 1...21

    /// Creates settings; significant digits are clamped to 1...21.
    public init(significant: ClosedRange<Int>? = nil, exponent: Exponent? = nil, stripsIfInteger: Bool = false) {
        self.significant = significant?.clamped(to: Self.significantRange)
        self.exponent = exponent
        self.stripsIfInteger = stripsIfInteger
    }

    func escapedForJSON() -> AdaptiveDigits {
        let escaped = exponent.map {
            Exponent(
                step: $0.step, separator: JSONText.escaped($0.separator), minus: JSONText.escaped($0.minus))
        }
        return AdaptiveDigits(significant: significant, exponent: escaped, stripsIfInteger: stripsIfInteger)
    }
}
