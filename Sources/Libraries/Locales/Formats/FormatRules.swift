// Checks fields of a number format and their combinations. Unknown locales, currencies and units are found when they are
// looked up.

import Labels

enum FormatRules {
    /// - Throws: the field at fault.
    static func check(_ format: NumberFormat) throws(NumberFormatError) {
        try check(format.minimumIntegerDigits, .minimumIntegerDigits, in: 1...21)
        try check(format.minimumDecimals, .minimumDecimals, in: NumberPlan.decimalRange)
        try check(format.maximumDecimals, .maximumDecimals, in: NumberPlan.decimalRange)
        try check(format.minimumSignificantDigits, .minimumSignificantDigits, in: AdaptiveDigits.significantRange)
        try check(format.maximumSignificantDigits, .maximumSignificantDigits, in: AdaptiveDigits.significantRange)
        if let minimum = format.minimumDecimals, let maximum = format.maximumDecimals, minimum > maximum {
            throw NumberFormatError(.minimumDecimals, "must not be more than maximumDecimals")
        }
        try checkSignificant(format)
        try checkNotation(format)
        try checkClock(format)
    }

    private static func check(
        _ count: Int?, _ field: NumberFormatError.Field, in range: ClosedRange<Int>
    ) throws(NumberFormatError) {
        guard let count, !range.contains(count) else { return }
        throw NumberFormatError(field, "must be \(range.lowerBound) to \(range.upperBound)")
    }

    private static func checkSignificant(_ format: NumberFormat) throws(NumberFormatError) {
        let (minimum, maximum) = (format.minimumSignificantDigits, format.maximumSignificantDigits)
        guard minimum != nil || maximum != nil else { return }
        if let minimum, let maximum, minimum > maximum {
            throw NumberFormatError(.minimumSignificantDigits, "must not be more than maximumSignificantDigits")
        }
        if format.minimumDecimals != nil || format.maximumDecimals != nil {
            throw NumberFormatError(
                maximum == nil ? .minimumSignificantDigits : .maximumSignificantDigits,
                "a format has significant digits or decimals, not both")
        }
    }

    private static func checkClock(_ format: NumberFormat) throws(NumberFormatError) {
        guard format.style == .clock || format.style == .duration else { return }
        let name = "a \(format.style.rawValue)"
        if format.notation != .standard { throw NumberFormatError(.notation, "\(name) has a notation of its own") }
        if format.minimumIntegerDigits != nil {
            throw NumberFormatError(.minimumIntegerDigits, "\(name) has two digits in each unit but the first")
        }
        guard format.minimumSignificantDigits ?? format.maximumSignificantDigits != nil else { return }
        throw NumberFormatError(
            format.maximumSignificantDigits == nil ? .minimumSignificantDigits : .maximumSignificantDigits,
            "\(name) has decimals, not significant digits")
    }

    private static func checkNotation(_ format: NumberFormat) throws(NumberFormatError) {
        switch (format.notation, format.style) {
        case (.scientific, .compact), (.engineering, .compact):
            throw NumberFormatError(.notation, "the compact style has its own notation")
        case (.compact, .percent), (.compact, .unit):
            throw NumberFormatError(.notation, "compact notation is for the styles decimal, compact and currency")
        case (.compact, .currency) where format.currencyDisplay == .name:
            // Two words for one number may need different plural forms: 1 thousand, 1,000 euros.
            throw NumberFormatError(.currencyDisplay, "compact notation has no names of currencies; use symbol or code")
        default: break
        }
    }
}
