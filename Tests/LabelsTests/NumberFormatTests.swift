// Number formats: the vectors, the contract's defaults, and refusals that name their field.

import Foundation
import Labels
import Locales
import TestSupport
import Testing

struct NumberFormatTests {
    @Test func `a number format works as a Foundation format style and can be encoded`() throws {
        let style = try NumberFormatStyle(NumberFormat(locale: "de-DE", style: .currency, currency: "EUR"), decimals: 1)
        let copy = try JSONDecoder().decode(NumberFormatStyle.self, from: JSONEncoder().encode(style))
        #expect(copy == style && 1234.56.formatted(copy) == "1.234,6\u{A0}€")
    }

    @Test(arguments: ["de-DE", "en-US", "ar-EG", "fi-FI", "ru-RU", "fa-IR", "de-CH", "hi-IN", "sv-SE", "pt-PT"])
    func `a format style writes NaN and infinity as Foundation does, never as zero`(tag: String) throws {
        let locale = Locale(identifier: tag)
        let euros = try NumberFormatStyle(NumberFormat(locale: tag, style: .currency, currency: "EUR"))
        let (number, percent) = try (
            NumberFormatStyle(NumberFormat(locale: tag)), NumberFormatStyle(NumberFormat(locale: tag, style: .percent))
        )
        var owed = NumberFormat(locale: tag, style: .currency, currency: "EUR")
        owed.currencySign = .accounting
        let accounts = try NumberFormatStyle(owed)
        for value in [Double.nan, .infinity, -.infinity] {
            let money = FloatingPointFormatStyle<Double>.Currency(code: "EUR", locale: locale)
            #expect(value.formatted(euros) == value.formatted(money))
            #expect(value.formatted(accounts) == value.formatted(money.sign(strategy: .accounting)))
            #expect(value.formatted(number) == value.formatted(.number.locale(locale)))
            #expect(value.formatted(percent) == value.formatted(.percent.locale(locale)))
        }
    }

    @Test(arguments: [
        (NumberFormat(locale: "de", style: .unit, unit: "day"), "-∞ Tg."),
        (NumberFormat(locale: "fr", style: .compact), "-∞"),
        (NumberFormat(locale: "en", style: .clock), "-∞"),
    ])
    func `infinity has the unit and the sign of large numbers`(format: NumberFormat, text: String) throws {
        #expect(try (-Double.infinity).formatted(NumberFormatStyle(format)) == text)
    }

    @Test func `a locale may be written with an underscore, as in Foundation`() throws {
        let (tag, identifier) = (NumberFormat(locale: "de-CH"), NumberFormat(locale: "de_CH"))
        let plans = try [tag, identifier].map { try NumberPlanCompiler.plan(for: $0, decimals: 1) }
        #expect(plans[0] == plans[1] && plans[0].text(of: 1234.5) == "1’234.5")
    }

    @Test(arguments: try VectorCase.all("descriptor"))
    func `formatted values equal the test vectors`(vector: VectorCase) throws {
        let format = try IntlTests.format(
            vector.input["format"] ?? .null, locale: try #require(vector.input["locale"]?.text))
        let value = try #require(vector.input["value"]?.number)
        #expect(try NumberPlanCompiler.plan(for: format).text(of: value) == vector.expected["text"]?.text)
    }

    @Test(arguments: try VectorCase.all("similar").filter { $0.expected["lastText"] != nil })
    func `last texts equal those of other counter libraries`(vector: VectorCase) throws {
        let value = try #require(vector.input["to"]?.number)
        let decimals = vector.input["decimals"]?.number.map { Int($0) } ?? 0
        var plan = NumberPlan.plain(decimals: decimals)
        if let fields = vector.input["format"] {
            let format = NumberFormat(locale: fields["locale"]?.text ?? "en-US")
            plan = try NumberPlanCompiler.plan(for: format, decimals: decimals)
        }
        #expect(plan.text(of: value) == vector.expected["lastText"]?.text)
    }

    @Test(arguments: [("14,921.00123", "14921.00123")])
    func `a label's grouped number with decimals is read whole`(text: String, number: String) {
        #expect(TickerLabel(text).number == ExactDecimal(parsing: number))
    }

    @Test func `requested decimals override the style's, and the format's limits override both`() throws {
        var format = NumberFormat(style: .currency, currency: "jpy")
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 1_234.5) == "¥1,235")
        #expect(try NumberPlanCompiler.plan(for: format, decimals: 1).text(of: 1_234.5) == "¥1,234.5")
        format.minimumDecimals = 2
        #expect(try NumberPlanCompiler.plan(for: format, decimals: 1).text(of: 1_234.5) == "¥1,234.50")
        format.currency = "KWD"
        format.minimumDecimals = nil
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 1.5) == "KWD\u{A0}1.500")
        #expect(format.decimals(inferredFrom: 1) == nil)
        #expect(NumberFormat(style: .percent).decimals(inferredFrom: 3) == 1)
        #expect(NumberFormat().decimals(inferredFrom: 3) == 3)
    }

    @Test func `a value rounded to zero shows no minus in any sign display`() throws {
        for sign in NumberFormat.SignDisplay.allCases {
            var format = NumberFormat(locale: "en-US")
            format.sign = sign
            let plan = try NumberPlanCompiler.plan(for: format, decimals: 0)
            #expect(plan.text(of: -0.4) == (sign == .always ? "+0" : "0"))
            #expect(plan.text(of: -0.6) == (sign == .never ? "1" : "-1"))
            #expect(plan.text(of: 2) == (sign == .always || sign == .exceptZero ? "+2" : "2"))
        }
    }

    @Test func `a compact number rounds up into the next magnitude`() throws {
        let plan = try NumberPlanCompiler.plan(for: NumberFormat(locale: "en-US", style: .compact))
        let texts: [(Double, String)] = [
            (0, "0"), (0.0123, "0.012"), (999, "999"), (999.9, "1K"), (1_250, "1.3K"), (99_950, "100K"),
            (999_949, "1M"),
            (999_499, "999K"), (-1_234_567, "-1.2M"), (1e15, "1000T"), (1.5e18, "1,500,000T"),
        ]
        for (value, text) in texts { #expect(plan.text(of: value) == text) }
    }

    @Test(arguments: [
        (NumberFormat(locale: "xx-YY"), NumberFormatError.Field.locale), (NumberFormat(locale: ""), .locale),
        (NumberFormat(locale: "en_US; DROP"), .locale), (NumberFormat(style: .currency), .currency),
        (NumberFormat(style: .currency, currency: "US$"), .currency), (NumberFormat(style: .unit), .unit),
        (NumberFormat(style: .unit, unit: "furlong"), .unit),
    ])
    func `a malformed number format is refused with its field`(format: NumberFormat, field: NumberFormatError.Field) {
        #expect { try NumberPlanCompiler.plan(for: format) } throws: { ($0 as? NumberFormatError)?.field == field }
    }

    @Test func `digit limits out of range are refused with their field`() {
        func field(_ change: (inout NumberFormat) -> Void) -> NumberFormatError.Field? {
            var format = NumberFormat()
            change(&format)
            do throws(NumberFormatError) {
                _ = try NumberPlanCompiler.plan(for: format)
                return nil
            } catch {
                return error.field
            }
        }
        #expect(field { $0.minimumIntegerDigits = 0 } == .minimumIntegerDigits)
        #expect(field { $0.minimumIntegerDigits = 22 } == .minimumIntegerDigits)
        #expect(field { $0.minimumDecimals = -1 } == .minimumDecimals)
        #expect(field { $0.maximumDecimals = 21 } == .maximumDecimals)
        #expect(field { ($0.minimumDecimals, $0.maximumDecimals) = (3, 2) } == .minimumDecimals)
        #expect(field { _ in } == nil)
    }
}
