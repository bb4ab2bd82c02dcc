// Words beside numbers in locales that take them from others, and compact notation at its edges: as Intl has them
// (Node 20.20.2, ICU 78.2, CLDR 48).

import Labels
import Locales
import Testing

struct LocaleInheritanceTests {
    @Test(arguments: [
        ("sr-Latn-RS", "kilometer", "2 kilometra"), ("sr-RS", "kilometer", "2 километра"),
        ("sr-ME", "kilometer", "2 kilometra"), ("zh-Hans-HK", "kilometer-per-hour", "每小时2公里"),
        ("zh-Hant-MO", "kilometer-per-hour", "每小時 2 公里"), ("zh-MO", "kilometer-per-hour", "每小時 2 公里"),
        ("en-SG", "meter", "2 metres"), ("en-001", "meter", "2 metres"), ("en-150", "meter", "2 metres"),
        ("en-US", "meter", "2 meters"), ("en-PR", "meter", "2 meters"), ("en-DE", "liter", "2 litres"),
        ("pt-AO", "megabit-per-second", "2 megabits/s"), ("pt-BR", "megabit-per-second", "2 megabits por segundo"),
        ("es-BO", "celsius", "2 grados Celsius"), ("uz-Cyrl-UZ", "hour", "2 соат"), ("az-Cyrl", "hour", "2 h"),
        ("vun", "kilometer", "2 km"),
    ])
    func `unit words are inherited from the script, parent region or root locale`(
        locale: String, unit: String, text: String
    ) throws {
        var format = NumberFormat(locale: locale, style: .unit, unit: unit)
        format.unitDisplay = .long
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 2) == text)
    }

    @Test(arguments: [
        ("af", "2 uur"), ("am", "2 ሰዓቶች"), ("az", "2 saat"), ("bs", "2 sata"), ("cy", "2 awr"), ("eu", "2 ordu"),
        ("fil", "2 oras"), ("ga", "2 u"), ("gl", "2 horas"), ("gu", "2 કલાક"), ("hy", "2 ժամ"),
        ("is", "2 klukkustundir"), ("ka", "2 საათი"), ("kk", "2 сағат"), ("km", "2 ម៉ោង"), ("kn", "2 ಗಂಟೆಗಳು"),
        ("lo", "2 ຊົ່ວໂມງ"), ("mk", "2 часа"), ("ml", "2 മണിക്കൂർ"), ("mn", "2 цаг"), ("my", "2 နာရီ"),
        ("ne", "2 घण्टा"), ("pa", "2 ਘੰਟੇ"), ("si", "පැය 2"), ("sq", "2 orë"), ("te", "2 గంటలు"), ("uz", "2 soat"),
        ("zu", "2 amahora"), ("nn", "2 timar"),
    ])
    func `long unit names exist in every major language`(language: String, text: String) throws {
        var format = NumberFormat(locale: language + "-u-nu-latn", style: .unit, unit: "hour")
        format.unitDisplay = .long
        #expect(try NumberPlanCompiler.plan(for: format).text(of: 2) == text)
    }

    @Test(arguments: [("en-UG", "minute", 2.0, "2 mins"), ("en-HK", "mile-per-gallon", 1, "1 mpg US")])
    func `short unit names are inherited from the parent region`(
        locale: String, unit: String, value: Double, text: String
    ) throws {
        let format = NumberFormat(locale: locale, style: .unit, unit: unit)
        #expect(try NumberPlanCompiler.plan(for: format).text(of: value) == text)
    }

    @Test(arguments: [
        ("ga-IE", -76_922.0, "-77 míle"), ("zu-ZA", 6_200, "6.2 inkulungwane"), ("nn-NO", 1_234_567, "1,2 millionar"),
        ("sr-Latn", 1_234_567, "1,2 miliona"), ("zh-Hans-HK", 1_234_567, "123万"),
    ])
    func `long compact notation has the language's words`(locale: String, value: Double, text: String) throws {
        var format = NumberFormat(locale: locale, style: .compact)
        format.compactDisplay = .long
        #expect(try NumberPlanCompiler.plan(for: format).text(of: value) == text)
    }

    @Test(arguments: [
        ("ar-EG", 9_999.9, "١٠\u{A0}ألف"), ("es-MX", 9_999.9, "10\u{A0}k"), ("kk", 99_999.9, "100\u{A0}м."),
        ("mk", 99_999_999, "100\u{A0}М"),
    ])
    func `a compact number that rounds up takes the form of the rounded number`(
        locale: String, value: Double, text: String
    ) throws {
        let plan = try NumberPlanCompiler.plan(for: NumberFormat(locale: locale, style: .compact))
        #expect(plan.text(of: value) == text)
        #expect(plan.text(of: try #require(ExactDecimal(parsing: "\(value)"))) == text)
    }

    @Test(arguments: [
        ("en-US", NumberFormat.Width.short, 2, 6_982.34, "6.982K"), ("de-DE", .long, 1, 417.021966, "417,022"),
        ("ca-ES", .short, 0, 85.1334, "85,133"), ("en-US", .short, 2, 1_500, "1.50K"),
    ])
    func `compact notation with a minimum of decimals alone shows up to three`(
        locale: String, width: NumberFormat.Width, minimum: Int, value: Double, text: String
    ) throws {
        var format = NumberFormat(locale: locale, style: .compact)
        format.compactDisplay = width
        format.minimumDecimals = minimum
        #expect(try NumberPlanCompiler.plan(for: format).text(of: value) == text)
    }
}
