// The pieces of labels: together they are the text, and each is what Intl's formatToParts calls it.

import Labels
import Locales
import TestSupport
import Testing

struct NumberPartTests {
    private static func format(
        _ locale: String, _ style: NumberFormat.Style, currency: String? = nil, unit: String? = nil,
        _ set: (inout NumberFormat) -> Void = { _ in }
    ) -> NumberFormat {
        var format = NumberFormat(locale: locale, style: style, currency: currency, unit: unit)
        set(&format)
        return format
    }

    private static func names(_ parts: [NumberPart]) -> String {
        parts.map { "\($0.kind.rawValue) \($0.text)" }.joined(separator: "|").replacing("\u{A0}", with: " ")
    }

    @Test(
        arguments: [
            (
                format("en-US", .currency, currency: "USD"), "Net: 5", "-1234.5",
                "literal Net: |minusSign -|currency $|integer 1|group ,|integer 234|decimal .|fraction 50"
            ),
            (
                format("de-DE", .currency, currency: "EUR") { $0.notation = .compact }, "0", "-1200000",
                "minusSign -|integer 1|decimal ,|fraction 2|literal  |compact Mio.|literal  |currency €"
            ),
            (
                format("en-US", .currency, currency: "USD") { $0.notation = .compact }, "0", "1234",
                "currency $|integer 1|decimal .|fraction 2|compact K"
            ),
            (
                format("en-US", .currency, currency: "USD") { $0.currencyDisplay = .name }, "0", "2",
                "integer 2|decimal .|fraction 00|literal  |currency US dollars"
            ),
            (
                format("en-US", .currency, currency: "USD") { $0.currencySign = .accounting }, "0", "-2",
                "literal (|currency $|integer 2|decimal .|fraction 00|literal )"
            ),
            (
                format("en-GB", .unit, unit: "kilometer-per-hour"), "5 now", "12345",
                "integer 12|group ,|integer 345|literal  |unit km/h|literal  now"
            ),
            (
                format("tr-TR", .percent) { $0.sign = .always }, "0", "0.5",
                "plusSign +|percentSign %|integer 50"
            ),
            (
                format("en-US", .decimal) { $0.notation = .scientific }, "0", "-0.00012",
                "minusSign -|integer 1|decimal .|fraction 2|exponentSeparator E|exponentMinusSign -|exponentInteger 4"
            ),
            (
                format("en-US", .compact) { $0.compactDisplay = .long }, "$5", "2000000",
                "currency $|integer 2|literal  |compact million"
            ),
        ])
    func `parts have the types of Intl's formatToParts`(
        _ format: NumberFormat, _ text: String, _ number: String, _ names: String
    ) throws {
        let label = try TickerLabel(text, format: format, plan: NumberPlanCompiler.plan(for: format))
        let value = try #require(ExactDecimal(number))
        #expect(Self.names(label.parts(of: value, format: format)) == names)
        #expect(Self.names(label.parts(of: value.double, format: format)) == names)
    }

    @Test func `a label's own currency sign is a currency part without a format`() throws {
        let names = Self.names(TickerLabel("Sum: $1,234.50!").parts(of: ExactDecimal(-1_000)))
        #expect(
            names
                == "literal Sum: |minusSign -|currency $|integer 1|group ,|integer 000|decimal .|fraction 00|literal !")
    }

    @Test func `a message's parts contain the plural form of the number`() throws {
        let label = try TickerLabel(message: "{n, plural, one {# coin} other {# coins}}")
        #expect(Self.names(label.parts(of: ExactDecimal(1))) == "integer 1|literal  coin")
        #expect(Self.names(label.parts(of: 2.0)) == "integer 2|literal  coins")
    }

    @Test func `parts joined together equal the text, also of moving numbers`() throws {
        var random = SeededRandom(seed: 11)
        let locales = ["en-US", "de-CH", "ar-EG", "he-IL", "fa-IR", "hi-IN", "tr-TR", "sv-SE", "es-MX", "ja-JP"]
        for _ in 0..<300 {
            var format = NumberFormat(
                locale: locales.randomElement(using: &random) ?? "en",
                style: NumberFormat.Style.allCases.randomElement(using: &random) ?? .decimal, currency: "CHF",
                unit: "liter")
            format.sign = NumberFormat.SignDisplay.allCases.randomElement(using: &random) ?? .auto
            format.currencySign = NumberFormat.CurrencySign.allCases.randomElement(using: &random) ?? .standard
            format.unitDisplay = NumberFormat.Width.allCases.randomElement(using: &random) ?? .short
            if format.style == .currency || format.style == .decimal {
                format.notation = NumberFormat.Notation.allCases.randomElement(using: &random) ?? .standard
            }
            let plan = try NumberPlanCompiler.plan(for: format)
            let label = try TickerLabel("From -5 on", format: format, plan: plan)
            let value = Double.random(in: -2_000_000...2_000_000, using: &random)
            var bytes: [UInt8] = []
            label.append(value, to: &bytes)
            let parts = label.parts(of: value, format: format)
            #expect(parts.map(\.text).joined() == String(decoding: bytes, as: UTF8.self))
            #expect(parts.allSatisfy { !$0.text.isEmpty })
        }
    }
}
