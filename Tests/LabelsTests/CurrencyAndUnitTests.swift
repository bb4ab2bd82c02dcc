// Money and units at their edges, as Intl writes them (Node 20.20.2, ICU 78.2, CLDR 48).

import Labels
import Locales
import Testing

struct CurrencyAndUnitTests {
    private static let signs: [(NumberFormat.SignDisplay, [String])] = [
        (.auto, ["($0.00)", "$0.00", "$0.00", "($2.00)"]), (.always, ["($0.00)", "+$0.00", "+$0.00", "($2.00)"]),
        (.never, ["$0.00", "$0.00", "$0.00", "$2.00"]), (.negative, ["$0.00", "$0.00", "$0.00", "($2.00)"]),
        (.exceptZero, ["$0.00", "$0.00", "$0.00", "($2.00)"]),
    ]

    @Test(arguments: signs)
    func `in accounting format a negative amount rounded to zero keeps its parentheses`(
        sign: NumberFormat.SignDisplay, texts: [String]
    ) throws {
        var format = NumberFormat(locale: "en-US", style: .currency, currency: "USD")
        format.currencySign = .accounting
        format.sign = sign
        let label = TickerLabel(prefix: "", suffix: "").with(try NumberPlanCompiler.plan(for: format))
        for (value, text) in zip(["-0.0001", "0", "0.0001", "-2"], texts) {
            let number = try #require(ExactDecimal(parsing: value))
            #expect(label.text(of: number) == text, "\(value)")
            #expect(label.parts(of: number, format: format).map(\.text).joined() == text, "\(value)")
            #expect(label.plan.text(of: number.double) == text, "\(value)")
        }
    }

    @Test(arguments: [
        ("de", "-0,00\u{A0}$"), ("en", "($0.00)"), ("fr", "(0,00\u{A0}$US)"), ("ja", "($0.00)"),
    ])
    func `accounting format marks a negative amount as the locale does`(locale: String, text: String) throws {
        var format = NumberFormat(locale: locale, style: .currency, currency: "USD")
        format.currencySign = .accounting
        #expect(try NumberPlanCompiler.plan(for: format).text(of: -0.001) == text)
        format.currencySign = .standard
        #expect(try NumberPlanCompiler.plan(for: format).text(of: -0.001).contains("0") == true)
        #expect(try !NumberPlanCompiler.plan(for: format).text(of: -0.001).contains("-"))
    }

    @Test(arguments: [
        ("ms", "USD", "USD\u{A0}1,234.50"), ("ms-MY", "CHF", "CHF\u{A0}1,234.50"), ("id", "USD", "USD\u{A0}1.234,50"),
        ("en", "USD", "USD\u{A0}1,234.50"), ("de", "USD", "1.234,50\u{A0}USD"), ("ja", "EUR", "EUR\u{A0}1,234.50"),
    ])
    func `a currency code is separated from the digits by a no-break space`(
        locale: String, currency: String, text: String
    ) throws {
        var format = NumberFormat(locale: locale, style: .currency, currency: currency)
        format.currencyDisplay = .code
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 1234.5) == text)
        format.notation = .compact
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 1.5).contains("\u{A0}"))
    }

    @Test(arguments: [
        ("en", "liter-per-minute", "5 L/min", "5 liters per minute"),
        ("en", "meter-per-year", "5 m/y", "5 meters per year"),
        ("de", "kilogram-per-week", "5 kg/W", "5 Kilogramm pro Woche"),
        ("en", "percent-per-day", "5%", "5 percent per day"),
        ("ja", "byte-per-minute", "5 byte/分", "5 バイト/分"), ("en", "foot-per-mile", "5 ft/mi", "5 feet per mile"),
        ("en", "meter-per-meter", "5 m/m", "5 meters per meter"), ("agq", "liter-per-minute", "5 l/min", "5 l/min"),
        ("en", "mile-per-gallon", "5 mpg", "5 miles per gallon"),
    ])
    func `any two units combine to a per-unit in short and long form`(
        locale: String, unit: String, short: String, long: String
    ) throws {
        var format = NumberFormat(locale: locale, style: .unit, unit: unit)
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 5) == short)
        format.unitDisplay = .long
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 5) == long)
    }

    @Test func `a combined unit takes the plural form of its first unit`() throws {
        var format = NumberFormat(locale: "en", style: .unit, unit: "liter-per-minute")
        format.unitDisplay = .long
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 1) == "1 liter per minute")
        format.locale = "ru"
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 2) == "2 литра в минуту")
    }

    @Test(arguments: [
        "per-minute", "/minute", "liter-per-", "-per-minute", "liter-per-minute-per-second", "liter-per-foo",
        "foo-per-liter",
        "units", "10^3", "", "liter per minute", "Liter-per-minute", "kilometer-per-hour-per-second",
    ])
    func `a unit that Intl does not know is refused`(unit: String) {
        #expect(throws: NumberFormatError(.unit, "not a unit that is known here")) {
            try NumberPlanCompiler.plan(for: NumberFormat(locale: "en", style: .unit, unit: unit))
        }
    }
}

extension TickerLabel {
    fileprivate func with(_ plan: NumberPlan) -> TickerLabel {
        var label = self
        label.plan = plan
        return label
    }
}
