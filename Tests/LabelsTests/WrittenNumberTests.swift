// Labels as people write them: what is read, and how other numbers look in their place.

import Labels
import Locales
import TestSupport
import Testing

struct WrittenNumberTests {
    /// A label, the number in it, and what it shows for other numbers.
    struct Row: Sendable, CustomTestStringConvertible {
        let label: String
        let number: String
        let shown: [(String, String)]
        var testDescription: String { label }

        init(_ label: String, _ number: String, _ shown: (String, String)...) {
            (self.label, self.number, self.shown) = (label, number, shown)
        }
    }

    private static let separators = [
        Row("1.234,50 €", "1234.50", ("2500.75", "2.500,75 €"), ("-3.00", "-3,00 €"), ("1234567", "1.234.567 €")),
        Row("0,00 €", "0.00", ("1234.50", "1234,50 €")),
        Row("Balance: 1.013,25 €", "1013.25", ("2000", "Balance: 2.000 €")),
        Row("1.234 €", "1234", ("2500", "2.500 €"), ("2500.5", "2.500,5 €")),
        Row("€1.234", "1.234", ("2.500", "€2.500")),
        Row("1.234 km", "1.234", ("2.5", "2.5 km")),
        Row("1,234 km", "1234", ("12345.5", "12,345.5 km")),
        Row("0,125 mm", "0.125", ("2.25", "2,25 mm")),
        Row("1\u{A0}234,50", "1234.50", ("2500.75", "2\u{A0}500,75")),
        Row("1\u{202F}234,5 €", "1234.5", ("12345.5", "12\u{202F}345,5 €")),
        Row("1\u{2009}234", "1234", ("12345.5", "12\u{2009}345,5")),
        Row("1 234,50 zł", "1234.50", ("2000.00", "2 000,00 zł")),
        Row("1 234 567 osób", "1234567", ("7654321", "7 654 321 osób")),
        Row("1 234 €", "1234", ("2500", "2 500 €")),
        Row("iPhone 15 128 GB", "15", ("16", "iPhone 16 128 GB")),
        Row("Route 66 120.5 km", "66", ("67", "Route 67 120.5 km")),
        Row("1 800 555 1234", "1", ("2", "2 800 555 1234")),
        Row("CHF 1’234.50", "1234.50", ("2500.75", "CHF 2’500.75"), ("-1", "CHF -1")),
        Row("1'234'567", "1234567", ("7654321.5", "7'654'321.5")),
        Row("5'11\"", "5", ("6", "6'11\"")),
        Row("₹ 1,00,000", "100000", ("2500000", "₹ 25,00,000"), ("-12345.5", "-₹ 12,345.5")),
        Row("12,34,567.50", "1234567.50", ("123456789.00", "12,34,56,789.00")),
        Row("192.168.0.1", "192.168", ("10", "10.0.1")),
        Row("1,2,3", "1", ("9", "9,2,3")),
        Row("1,2345", "1.2345", ("9", "9")),
        Row("12.345.678,9", "12345678.9", ("9.5", "9,5")),
        Row("Total: 1.234.567.", "1234567", ("7654321", "Total: 7.654.321.")),
    ]

    private static let digits = [
        Row("السعر: ١٢٫٥ ريال", "12.5", ("25.5", "السعر: ٢٥٫٥ ريال"), ("-1", "السعر: \u{61C}-١ ريال")),
        Row("١٬٢٣٤", "1234", ("2500", "٢٬٥٠٠"), ("2500.5", "٢٬٥٠٠٫٥")),
        Row("۱۲٫۵ تومان", "12.5", ("-25.5", "\u{200E}\u{2212}۲۵٫۵ تومان")),
        Row("５個", "5", ("12", "１２個"), ("-3", "-３個")),
        Row("１，２３４．５", "1234.5", ("2500.5", "２，５００．５")),
        Row("第5，6名", "5", ("7", "第7，6名")),
        Row("०१२ रुपये", "12", ("345", "३४५ रुपये"), ("7", "००७ रुपये")),
        Row("৳ ১,২৩,৪৫৬", "123456", ("7654321", "৳ ৭৬,৫৪,৩২১")),
        Row("๑๒.๕ บาท", "12.5", ("7.25", "๗.๒๕ บาท")),
        Row("٣ apples", "3", ("7", "٧ apples")),
        Row("יתרה: 5", "5", ("-7", "יתרה: \u{200E}-7")),
    ]

    private static let widths = [
        Row(".5 l", "0.5", ("0.75", ".75 l"), ("1.5", "1.5 l"), ("0", "0 l"), ("0.0", ".0 l"), ("-0.25", "-.25 l")),
        Row("-.5", "-0.5", ("0.5", ".5")),
        Row("file.5", "5", ("7", "file.7")),
        Row("007", "7", ("12", "012"), ("1234", "1234"), ("-7", "-007")),
        Row("00:05", "5", ("7", "00:07"), ("3661", "61:01")),
        Row("0", "0", ("12", "12")),
        Row("v2", "2", ("10", "v10")),
    ]

    private static let signs = [
        Row("-$5", "-5", ("3", "$3"), ("-1234", "-$1234"), ("0", "$0")),
        Row("-$1,234.50", "-1234.50", ("3", "$3"), ("-2500.75", "-$2,500.75")),
        Row("Total: -$5.00", "-5.00", ("-4.00", "Total: -$4.00")),
        Row("$-5", "-5", ("-7", "$-7"), ("7", "$7")),
        Row("$5", "5", ("-7", "-$7")),
        Row("€ 5", "5", ("-7", "-€ 7")),
        Row("US$5", "5", ("-7", "-US$7")),
        Row("-US$ 5", "-5", ("7", "US$ 7")),
        Row("Total$5", "5", ("-7", "Total-$7")),
        Row("-CHF 5", "-5", ("7", "CHF 7"), ("-7", "-CHF 7")),
        Row("T-MAX 530", "530", ("560", "T-MAX 560")),
        Row("($5.00)", "-5.00", ("-7.50", "($7.50)"), ("7.50", "$7.50")),
        Row("Net: (5,00 €)", "-5.00", ("-7.50", "Net: (7,50 €)"), ("7.50", "Net: 7,50 €")),
        Row("Large fries ($3.50)", "3.50", ("4.00", "Large fries ($4.00)")),
        Row("Inbox (5)", "5", ("6", "Inbox (6)")),
        Row("(-5)", "-5", ("6", "(6)")),
        Row("+5%", "5", ("-5", "-5%"), ("0", "+0%"), ("7", "+7%")),
        Row("%50", "50", ("-60", "-%60"), ("7", "%7")),
        Row("-%5", "-5", ("7", "%7"), ("-7", "-%7")),
        Row("+%5", "5", ("-7", "-%7"), ("7", "+%7")),
        Row("−% 5", "-5", ("-7", "−% 7"), ("7", "% 7")),
        Row("٪٥٠", "50", ("-60", "-٪٦٠")),
        Row("CPU % 5", "5", ("-3", "CPU % -3")),
        Row("a%20", "20", ("-3", "a%-3")),
        Row("(%5)", "5", ("7", "(%7)")),
        Row("+$5", "5", ("-7", "-$7"), ("7", "+$7")),
        Row("−5", "-5", ("-7", "−7"), ("7", "7")),
        Row("–5 °C", "-5", ("-7", "–7 °C")),
        Row("5-", "-5", ("7", "7"), ("-12", "12-")),
        Row("Saldo: 5,00-", "-5.00", ("-7.50", "Saldo: 7,50-")),
        Row("5- to 6-star", "5", ("4", "4- to 6-star")),
        Row("5-10", "5", ("6", "6-10")),
        Row("5- 7 km", "5", ("6", "6- 7 km")),
        Row("A-5", "5", ("6", "A-6")),
        Row("T-5 s", "5", ("3", "T-3 s"), ("-3", "T-(-3) s")),
        Row("T-(-3) s", "-3", ("5", "T-5 s"), ("-4", "T-(-4) s")),
        Row("±5", "5", ("7", "±7"), ("-7", "±(-7)")),
        Row("--5", "5", ("7", "--7")),
        Row("2020-2024", "2020", ("2021", "2021-2024")),
        Row("$5-$10", "5", ("7", "$7-$10")),
        Row("€5–€10", "5", ("7", "€7–€10")),
        Row("%5-%10", "5", ("7", "%7-%10")),
        Row("$5 - $10", "5", ("7", "$7 - $10")),
        Row("5,00- €", "-5.00", ("7.00", "7,00 €")),
        Row("- 5", "5", ("9", "- 9")),
    ]

    private static let text = [
        Row("3️⃣ of 5", "5", ("4", "3️⃣ of 4")),
        Row("5\u{301} and 6", "6", ("7", "5\u{301} and 7")),
        Row("H₂O 5 ml", "5", ("6", "H₂O 6 ml")),
        Row("½ or 2", "2", ("3", "½ or 3")),
    ]

    @Test(arguments: separators + digits + widths + signs + text)
    func `a number in a label is written back in its own notation`(row: Row) throws {
        let label = TickerLabel(row.label)
        let number = try #require(label.number)
        #expect(number.description == row.number)
        #expect(label.text(of: number) == row.label)
        for (value, shown) in row.shown {
            let value = try #require(ExactDecimal(parsing: value))
            var label = label
            label.plan.decimals = value.scale
            #expect(label.text(of: value) == shown)
            var bytes: [UInt8] = []
            label.append(value.double, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == shown, "on its way")
        }
    }
}

struct FormattedLabelTests {
    private static func money(
        _ locale: String, _ currency: String, _ notation: NumberFormat.Notation = .standard,
        _ display: NumberFormat.CurrencyDisplay = .symbol, _ sign: NumberFormat.CurrencySign = .standard
    ) -> NumberFormat {
        var format = NumberFormat(locale: locale, style: .currency, currency: currency)
        (format.notation, format.currencyDisplay, format.currencySign) = (notation, display, sign)
        return format
    }

    private static let celsius: NumberFormat = {
        var format = NumberFormat(locale: "ja-JP", style: .unit, unit: "celsius")
        format.unitDisplay = .long
        return format
    }()

    @Test(arguments: [
        ("Saldo: CHF-1’234.50", money("de-CH", "CHF"), "-1234.50"),
        ("Saldo: CHF-1’234.50", money("it-CH", "CHF"), "-1234.50"),
        ("Saldo: EUR-1.234,00", money("es-CL", "EUR"), "-1234.00"),
        ("Solde : 5,00\u{A0}$US", money("fr-FR", "USD"), "5.00"),
        ("(EUR\u{A0}12.00)", money("en-US", "EUR", .standard, .code, .accounting), "-12.00"),
        ("\u{200E}\u{2212}\u{200E}$۱۲٫۰۰", money("fa-IR", "USD"), "-12.00"),
        ("رصيد \u{61C}-\u{200F}١٠٠٫٠٠\u{A0}ج.م.\u{200F} اليوم", money("ar-EG", "EGP"), "-100.00"),
        ("50\u{200E}%\u{200E} now", NumberFormat(locale: "ar-AE", style: .percent), "0.50"),
        ("\u{200F}5.00\u{A0}\u{200F}₪ היום", money("he-IL", "ILS"), "5.00"),
        ("摂氏 12 度", celsius, "12"),
        ("B/.\u{A0}5.00", money("es-PA", "PAB"), "5.00"),
        ("1$50\u{A0}\u{200B}", money("pt-CV", "CVE"), "1.50"),
    ])
    func `a text that a format wrote is read as that number`(text: String, format: NumberFormat, number: String) throws
    {
        let plan = try NumberPlanCompiler.plan(for: format)
        let label = try TickerLabel(text, format: format, plan: plan)
        let number = try #require(ExactDecimal(parsing: number))
        #expect(label.number == number)
        #expect(label.text(of: number) == text)
        let other = try TickerLabel(label.text(of: -number), format: format, plan: plan)
        #expect(other.number == -number)
        #expect(other.text(of: number) == text)
    }

    @Test(.tags(.random), arguments: Seeds.seeds([2026]))
    func `a label reads what its own format wrote, in every locale`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var count = 0
        for locale in OwnText.locales where random.chance(0.4) {
            for text in OwnText.texts(OwnText.format(in: locale, &random), &random) {
                count += 1
                let fault = try text.fault()
                #expect(fault == nil, "\(text)")
            }
        }
        #expect(count > 1_000)
    }

    @Test(arguments: [
        ("Umsatz: 1.234,50 €", NumberFormat(locale: "de-DE"), "1234.5", "-2500.25", "Umsatz: -2.500,25 €"),
        ("$1,234.50 in US money", NumberFormat(locale: "de-DE"), "1234.5", "2500.25", "$2.500,25 in US money"),
        ("Load 50%", NumberFormat(style: .percent), "0.5", "0.75", "Load 75%"),
        ("Load 0.5", NumberFormat(style: .percent), "0.5", "0.75", "Load 75%"),
        ("-%5", NumberFormat(locale: "tr", style: .percent), "-0.05", "0.07", "%7"),
        ("−% 5", NumberFormat(locale: "eu", style: .percent), "-0.05", "-0.07", "−%\u{A0}7"),
        ("%50", NumberFormat(locale: "tr", style: .unit, unit: "percent"), "50", "-60", "-%60"),
        ("%50", NumberFormat(style: .unit, unit: "percent"), "50", "60", "60%"),
        ("50%", NumberFormat(locale: "tr", style: .unit, unit: "percent"), "50", "60", "%60"),
        ("%5 in cash", NumberFormat(style: .currency, currency: "USD"), "5", "7", "%$7.00 in cash"),
        ("1.2K views", NumberFormat(style: .compact), "1200", "4500000", "4.5M views"),
        ("Total $5.00", NumberFormat(style: .currency, currency: "USD"), "5", "-7", "Total -$7.00"),
        ("Total 5 EUR", NumberFormat(locale: "de", style: .currency, currency: "EUR"), "5", "7", "Total 7,00\u{A0}€"),
        ("5 kmh", NumberFormat(style: .unit, unit: "kilometer"), "5", "7", "7 km kmh"),
        ("+5", NumberFormat(locale: "de"), "5", "0", "+0"),
        ("007", NumberFormat(locale: "ar-EG"), "7", "12", "٠١٢"),
        ("Solde : 5,00 $US", money("fr-CA", "CAD"), "5", "7", "Solde : 7,00\u{A0}$"),
        ("US$5", money("en-US", "USD"), "5", "-7", "-$7.00"),
        ("−$5", money("en-US", "USD"), "-5", "-7", "−$7.00"),
        ("+$5", money("en-US", "USD"), "5", "7", "+$7.00"),
        ("$-5", money("en-US", "USD"), "-5", "7", "$7.00"),
        ("€-5", money("en-US", "USD"), "-5", "7", "$7.00"),
        ("-CHF 5", money("en-US", "USD"), "-5", "7", "$7.00"),
        ("EUR 5", money("de", "EUR"), "5", "7", "7,00\u{A0}€"),
        ("5,00- €", money("de", "EUR"), "-5", "7", "7,00\u{A0}€"),
        ("5,00 €-", money("de", "EUR"), "-5", "7", "7,00\u{A0}€"),
        ("kr 5 igjen", money("nb-NO", "NOK"), "5", "7", "7,00\u{A0}kr igjen"),
        ("Revenue: 1.2K", money("en-US", "USD", .compact), "1200", "-4500", "Revenue: -$4.5K"),
        ("Gate K 5", NumberFormat(style: .compact), "5", "1200", "Gate K 1.2K"),
        ("T-(-$3.00)", money("en-US", "USD"), "-3", "5", "T-$5.00"),
        ("12 度です", NumberFormat(locale: "ja", style: .unit, unit: "degree"), "12", "7", "7 度です"),
        ("A-5", NumberFormat(), "5", "7", "A-7"),
        ("- 5", NumberFormat(), "5", "7", "- 7"),
        ("12.345", NumberFormat(locale: "es"), "12345", "1234", "1234"),
        ("1.234", NumberFormat(locale: "es"), "1234", "4321", "4.321"),
        ("1:01:01", NumberFormat(style: .clock), "3661", "5", "0:05"),
    ])
    func `a format's own symbols replace the label's, and all other text stays`(
        text: String, format: NumberFormat, number: String, target: String, shown: String
    ) throws {
        let compiled = try NumberPlanCompiler.compile(format)
        let target = try #require(ExactDecimal(parsing: target))
        let plan = compiled.plan(decimals: format.decimals(inferredFrom: target.scale))
        let label = try TickerLabel(text, format: format, plan: plan)
        #expect(label.number == ExactDecimal(parsing: number))
        #expect(label.text(of: target) == shown)
    }

    @Test(arguments: ["(5.00)", "($5.00)"])
    func `accounting parentheses in a label are read as the format's`(text: String) throws {
        var format = NumberFormat(style: .currency, currency: "USD")
        format.currencySign = .accounting
        let label = try TickerLabel("Net: \(text)", format: format, plan: try NumberPlanCompiler.plan(for: format))
        #expect(label.number == ExactDecimal(-5))
        #expect(label.text(of: ExactDecimal(-7)) == "Net: ($7.00)")
        #expect(label.text(of: ExactDecimal(7)) == "Net: $7.00")
    }
}
