// Significant digits, exponents, compact amounts and decimals that are only there where they say something. Expected texts
// are those of Intl (Node with CLDR 48).

import Foundation
import Labels
import Locales
import TestSupport
import Testing

struct AdaptiveDigitsTests {
    /// A format by what is set in it.
    struct Row: Sendable, CustomTestStringConvertible {
        var locale = "en-US"
        var style = NumberFormat.Style.decimal
        var currency: String?
        let set: @Sendable (inout NumberFormat) -> Void
        let texts: [(number: String, text: String)]

        var format: NumberFormat {
            var format = NumberFormat(locale: locale, style: style, currency: currency)
            set(&format)
            return format
        }

        var testDescription: String { "\(locale) \(style) \(texts)" }
    }

    static let rows: [Row] = [
        Row(
            set: { $0.maximumSignificantDigits = 3 },
            texts: [
                ("123456", "123,000"), ("0", "0"), ("1", "1"), ("12.345", "12.3"), ("-0.00012345", "-0.000123"),
                ("999.6", "1,000"), ("0.09996", "0.1"), ("12345678901234567890123.5", "12,300,000,000,000,000,000,000"),
            ]),
        Row(
            set: {
                $0.minimumSignificantDigits = 2
                $0.maximumSignificantDigits = 2
            }, texts: [("0", "0.0"), ("0.0999", "0.10"), ("9.99", "10"), ("123456", "120,000"), ("5", "5.0")]),
        Row(
            set: { $0.minimumSignificantDigits = 4 },
            texts: [("1", "1.000"), ("1234.5678", "1,234.5678"), ("0.1234567890123456789", "0.1234567890123456789")]),
        Row(
            style: .percent,
            set: { $0.maximumSignificantDigits = 2 }, texts: [("0.12345", "12%"), ("0.00012345", "0.012%")]),
        Row(
            set: { $0.notation = .scientific },
            texts: [("12345", "1.235E4"), ("0", "0E0"), ("-0.00012", "-1.2E-4"), ("999950", "1E6")]),
        Row(
            set: { $0.notation = .engineering },
            texts: [
                ("12345", "12.345E3"), ("0", "0E0"), ("-0.00012", "-120E-6"), ("999999.9", "1E6"),
                ("123456", "123.456E3"),
            ]),
        Row(
            set: {
                $0.notation = .scientific
                $0.minimumSignificantDigits = 3
                $0.maximumSignificantDigits = 3
            }, texts: [("12345", "1.23E4"), ("9.999", "1.00E1"), ("0", "0.00E0")]),
        Row(locale: "de-DE", set: { $0.notation = .scientific }, texts: [("12345", "1,235E4"), ("0.5", "5E-1")]),
        Row(locale: "sv-SE", set: { $0.notation = .scientific }, texts: [("-0.00012", "−1,2×10^−4")]),
        Row(locale: "ar-EG", set: { $0.notation = .scientific }, texts: [("-0.00012", "؜-١٫٢أس؜-٤")]),
        Row(locale: "fa-IR", set: { $0.notation = .scientific }, texts: [("12345", "۱٫۲۳۵×۱۰^۴")]),
        Row(
            style: .currency, currency: "USD", set: { $0.notation = .scientific },
            texts: [("12345", "$1.235E4"), ("1", "$1E0")]),
        Row(
            style: .currency, currency: "USD",
            set: {
                $0.notation = .scientific
                $0.currencyDisplay = .name
            }, texts: [("1000", "1E3 US dollars")]),
        Row(
            style: .unit,
            set: {
                $0.unit = "kilometer"
                $0.unitDisplay = .long
                $0.notation = .scientific
            }, texts: [("1000", "1E3 kilometers"), ("1", "1E0 kilometer"), ("1234", "1.234E3 kilometers")]),
        Row(
            style: .currency, currency: "USD", set: { $0.notation = .compact },
            texts: [
                ("1234", "$1.2K"), ("-1234567", "-$1.2M"), ("999", "$999"), ("0.1234", "$0.12"), ("0", "$0"),
                ("999999", "$1M"),
            ]),
        Row(
            locale: "de-DE", style: .currency, currency: "EUR", set: { $0.notation = .compact },
            texts: [("1234", "1234 €"), ("1200000", "1,2 Mio. €"), ("-12345678", "-12 Mio. €")]),
        Row(
            locale: "ja-JP", style: .currency, currency: "JPY", set: { $0.notation = .compact },
            texts: [("1234567", "￥123万"), ("999", "￥999")]),
        Row(
            style: .currency, currency: "USD",
            set: {
                $0.notation = .compact
                $0.currencySign = .accounting
            }, texts: [("-1234", "-$1.2K"), ("-12", "($12)")]),
        Row(
            style: .compact, set: { $0.maximumSignificantDigits = 2 },
            texts: [("123456", "120K"), ("1", "1"), ("1250", "1.3K")]),
        Row(
            set: {
                $0.notation = .compact
                $0.compactDisplay = .long
            }, texts: [("1234", "1.2 thousand")]),
        Row(
            locale: "fil-PH", style: .compact, set: { $0.compactDisplay = .long },
            texts: [
                ("999000", "999 na libo"), ("14000", "14 na libo"), ("15000", "15 libo"), ("26000000", "26 na milyon"),
            ]),
        Row(
            style: .currency, currency: "USD", set: { $0.trailingZeros = .stripIfInteger },
            texts: [("5", "$5"), ("5.5", "$5.50"), ("4.999", "$5"), ("0", "$0"), ("1234.001", "$1,234")]),
        Row(
            style: .currency, currency: "USD",
            set: {
                $0.trailingZeros = .stripIfInteger
                $0.currencyDisplay = .name
            }, texts: [("1", "1 US dollar"), ("1.5", "1.50 US dollars")]),
    ]

    @Test(arguments: rows)
    func `numbers with significant digits or exponents equal Intl's, exact or moving`(_ row: Row) throws {
        let plan = try NumberPlanCompiler.plan(for: row.format)
        for (number, text) in row.texts {
            let value = try #require(ExactDecimal(number))
            #expect(plan.text(of: value) == text)
            if value.coefficient.magnitude < 1 << 53 { #expect(plan.text(of: value.double) == text) }
        }
    }

    static let refusals: [(NumberFormatError.Field, @Sendable (inout NumberFormat) -> Void)] = [
        (.minimumSignificantDigits, { $0.minimumSignificantDigits = 0 }),
        (.maximumSignificantDigits, { $0.maximumSignificantDigits = 22 }),
        (.minimumSignificantDigits, { ($0.minimumSignificantDigits, $0.maximumSignificantDigits) = (3, 2) }),
        (.maximumSignificantDigits, { ($0.maximumSignificantDigits, $0.minimumDecimals) = (3, 1) }),
        (.minimumSignificantDigits, { ($0.minimumSignificantDigits, $0.maximumDecimals) = (3, 1) }),
        (.notation, { ($0.style, $0.notation) = (.compact, .scientific) }),
        (.notation, { ($0.style, $0.notation) = (.percent, .compact) }),
        (.notation, { ($0.style, $0.unit, $0.notation) = (.unit, "meter", .compact) }),
        (
            .currencyDisplay,
            {
                ($0.style, $0.currency) = (.currency, "EUR")
                ($0.currencyDisplay, $0.notation) = (.name, .compact)
            }
        ),
    ]

    @Test(arguments: refusals)
    func `a format with contradictory or out-of-range options is refused with its field`(
        _ field: NumberFormatError.Field, _ set: @Sendable (inout NumberFormat) -> Void
    ) {
        var format = NumberFormat()
        set(&format)
        let error = #expect(throws: NumberFormatError.self) { try NumberPlanCompiler.compile(format) }
        #expect(error?.field == field)
    }

    @Test(
        arguments: [
            ("Mass: 1.5E4 kg", NumberFormat.Notation.scientific, "15000", "Mass: 1.5E4 kg"),
            ("Size 2.5E-3 m", .engineering, "0.0025", "Size 2.5E-3 m"),
            ("5 Euros", .scientific, "5", "5E0 Euros"),
            ("Revenue: $1.2K", .compact, "1200", "Revenue: $1.2K"),
        ])
    func `a label in scientific, engineering or compact notation is read as its number`(
        _ text: String, _ notation: NumberFormat.Notation, _ number: String, _ shown: String
    ) throws {
        var format = NumberFormat(style: notation == .compact ? .currency : .decimal, currency: "USD")
        format.notation = notation
        let label = try TickerLabel(text, format: format, plan: NumberPlanCompiler.plan(for: format))
        #expect(label.number == ExactDecimal(number))
        #expect(label.number.map { label.text(of: $0) } == shown)
    }

    @Test func `a double in scientific notation reads back with 17 significant digits`() throws {
        var random = SeededRandom(seed: 7)
        let plan = try NumberPlanCompiler.plan(
            for: {
                var format = NumberFormat(style: .decimal)
                format.notation = .scientific
                format.maximumSignificantDigits = 17
                return format
            }())
        for _ in 0..<2_000 {
            let size = pow(10, Double(Int.random(in: -28...28, using: &random)))
            let value = Double.random(in: 0.1..<10, using: &random) * size
            #expect(Double(plan.text(of: value).replacing("E", with: "e")) == value)
        }
    }
}
