// A format's digits that depend on the number, with the locale's exponents.

import Labels

extension AdaptiveDigits {
    /// Nil for a format whose numbers all have the same decimals.
    /// - Throws: `notation` if the locale's exponent can't be separated from its number.
    init?(_ format: NumberFormat, _ sampler: FormatSampler, digits: DigitSet) throws(NumberFormatError) {
        let significant: ClosedRange<Int>? =
            switch (format.minimumSignificantDigits, format.maximumSignificantDigits) {
            case (nil, nil): nil
            // proven: a minimum above its maximum was rejected, and both are within the range.
            case (let minimum, let maximum):
                (minimum ?? Self.significantRange.lowerBound)...(maximum ?? Self.significantRange.upperBound)
            }
        let exponent = try Self.exponent(format, sampler, digits)
        let stripsIfInteger = format.trailingZeros == .stripIfInteger
        guard significant != nil || exponent != nil || stripsIfInteger else { return nil }
        self.init(significant: significant, exponent: exponent, stripsIfInteger: stripsIfInteger)
    }

    private static func exponent(
        _ format: NumberFormat, _ sampler: FormatSampler, _ digits: DigitSet
    ) throws(NumberFormatError) -> Exponent? {
        let step: Int
        switch format.notation {
        case .standard, .compact: return nil
        case .scientific: step = 1
        case .engineering: step = 3
        }
        guard let separator = between(sampler.scientificText(2e4), digits),
            let signed = between(sampler.scientificText(2e-4), digits), signed.starts(with: separator)
        else { throw NumberFormatError(.notation, "no exponents for \"\(format.locale)\"") }
        return Exponent(step: step, separator: separator, minus: Array(signed.dropFirst(separator.count)))
    }

    /// Returns the text between the first and the last digit. It may contain digits: `×10^`.
    private static func between(_ text: String, _ digits: DigitSet) -> [UInt8]? {
        let values = Set((0..<10).map { digits.text(of: $0) })
        let scalars = text.unicodeScalars.map { String($0) }
        guard let first = scalars.firstIndex(where: values.contains),
            let last = scalars.lastIndex(where: values.contains),
            first < last
        else { return nil }
        // proven: both were found in the text, in this order.
        return Array(scalars[(first + 1)..<last].joined().utf8)
    }
}
