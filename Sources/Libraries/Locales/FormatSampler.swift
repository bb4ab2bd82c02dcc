// Formats samples with FormatStyle. The only file that knows Foundation's names for CLDR's options; SampledNumber interprets
// the samples.

import Labels

#if canImport(FoundationEssentials)
    import FoundationEssentials
    import FoundationInternationalization
#else
    import Foundation
#endif

/// Formats sample numbers with a locale's data.
struct FormatSampler {
    let format: NumberFormat
    let locale: Locale

    /// Returns the sample in the locale's format; nil for `decimals` uses the style's default.
    func text(_ value: Double, decimals: Int?, isSigned: Bool = true) -> String {
        switch format.style {
        case .decimal, .unit, .compact, .clock, .duration: number(value, decimals: decimals)
        case .percent: percent(value, decimals: decimals)
        case .currency: currency(value, decimals: decimals, isSigned: isSigned)
        }
    }

    /// Returns a sample in short compact notation.
    func compactText(_ value: Double, decimals: Int, isSigned: Bool = true) -> String {
        guard format.style != .currency else {
            return Self.spaced(
                value.formatted(
                    currency(isSigned: isSigned).notation(.compactName).precision(.fractionLength(decimals))))
        }
        return value.formatted(
            FloatingPointFormatStyle<Double>.number.locale(locale).notation(.compactName)
                .sign(strategy: isSigned ? sign : .never).precision(.fractionLength(decimals)))
    }

    /// Returns a one-digit integer in scientific notation, without the style's affixes.
    func scientificText(_ value: Double) -> String {
        value.formatted(
            FloatingPointFormatStyle<Double>.number.locale(locale).notation(.scientific).precision(.fractionLength(0)))
    }

    /// Returns the locale's word for infinity, or for what is no number, without a sign.
    static func word(for value: Double, in locale: Locale) -> String {
        value.magnitude.formatted(FloatingPointFormatStyle<Double>.number.locale(locale))
    }

    /// Returns the digits 0 to 9 of the locale's numbering system.
    func digits() -> DigitSet? {
        let style = FloatingPointFormatStyle<Double>.number.locale(locale).grouping(.never)
        let scalars = (0..<10).compactMap { digit in
            Double(digit).formatted(style).unicodeScalars.first { $0.properties.numericValue == Double(digit) }
        }
        return DigitSet(scalars)
    }

    private func number(_ value: Double, decimals: Int?) -> String {
        var style = FloatingPointFormatStyle<Double>.number.locale(locale).sign(strategy: sign)
        if let decimals { style = style.precision(.fractionLength(decimals)) }
        return value.formatted(style)
    }

    private func percent(_ value: Double, decimals: Int?) -> String {
        var style = FloatingPointFormatStyle<Double>.Percent(locale: locale).sign(strategy: sign)
        if let decimals { style = style.precision(.fractionLength(decimals)) }
        return (value / 100).formatted(style)
    }

    private func currency(_ value: Double, decimals: Int?, isSigned: Bool) -> String {
        var style = currency(isSigned: isSigned)
        if let decimals { style = style.precision(.fractionLength(decimals)) }
        let text = value.formatted(style)
        return format.currencyDisplay == .name ? text : Self.spaced(text)
    }

    /// Inserts the space between a currency that ends with a letter and the digits (UTS 35, currencySpacing). Foundation's
    /// data lack it in Malay and Indonesian. Letters that aren't ASCII belong to compact notation, in Sinhala.
    private static func spaced(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let digit = scalars.firstIndex(where: { $0.properties.numericType == .decimal }),
            digit > scalars.startIndex,
            scalars[scalars.index(before: digit)].isASCII, scalars[scalars.index(before: digit)].properties.isAlphabetic
        else { return text }
        // proven: the position of a digit in this text.
        return String(scalars[..<digit]) + "\u{A0}" + String(scalars[digit...])
    }

    private func currency(isSigned: Bool) -> FloatingPointFormatStyle<Double>.Currency {
        FloatingPointFormatStyle<Double>.Currency(code: format.currency ?? "", locale: locale)
            .presentation(presentation).sign(strategy: isSigned ? currencySign : .never)
    }

    private var sign: NumberFormatStyleConfiguration.SignDisplayStrategy {
        switch format.sign {
        case .auto, .negative: .automatic
        case .always: .always(includingZero: true)
        case .exceptZero: .always(includingZero: false)
        case .never: .never
        }
    }

    private var currencySign: CurrencyFormatStyleConfiguration.SignDisplayStrategy {
        let isAccounting = format.currencySign == .accounting
        return switch format.sign {
        case .auto, .negative: isAccounting ? .accounting : .automatic
        case .always: isAccounting ? .accountingAlways(showZero: true) : .always(showZero: true)
        case .exceptZero: isAccounting ? .accountingAlways(showZero: false) : .always(showZero: false)
        case .never: .never
        }
    }

    private var presentation: CurrencyFormatStyleConfiguration.Presentation {
        switch format.currencyDisplay {
        case .symbol: .standard
        case .code: .isoCode
        case .name: .fullName
        case .narrowSymbol: .narrow
        }
    }
}
