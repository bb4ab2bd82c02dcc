// Formats and plural rules against another implementation of CLDR: Node's Intl, through vectors that
// Tests/Vectors/make-intl-vectors.mjs writes.

import Labels
import Locales
import TestSupport
import Testing

struct IntlTests {
    @Test func `formats agree with Intl but for known differences of CLDR versions`() throws {
        var compared = 0
        var excused: [String: Int] = [:]
        for vector in try VectorCase.all("number", in: "intl.json") {
            let locale = try #require(vector.fields["locale"]?.text)
            let format = try Self.format(vector.fields["format"] ?? .null, locale: locale)
            let value = try #require(ExactDecimal(parsing: vector.fields["value"]?.text ?? ""))
            let expected = vector.fields["text"]?.text
            let plan = try NumberPlanCompiler.plan(for: format)
            compared += 1
            let text = plan.text(of: value)
            if let expected, text != expected,
                let known = KnownDifference.all.first(where: { $0.covers(locale, format, ours: text, theirs: expected) }
                )
            {
                excused[known.reason, default: 0] += 1
                continue
            }
            #expect(text == expected, "\(vector.id) \(locale) \(format) \(value)")
            if value.double.magnitude < 1e15 {
                #expect(plan.text(of: value.double) == expected, "\(vector.id) as a double")
            }
        }
        #expect(compared > 2_600)
        // A difference that is gone has no place on the list.
        #expect(Set(KnownDifference.all.map(\.reason)).subtracting(excused.keys).isEmpty)
    }

    @Test(arguments: try VectorCase.all("plural", in: "plurals.json"))
    func `plural rules agree with Intl`(vector: VectorCase) throws {
        for language in try #require(vector.fields["languages"]?.text).split(separator: " ") {
            let rule = PluralRule(language: String(language))
            for category in PluralCategory.allCases {
                for text in vector.fields["categories"]?[category.rawValue]?.list ?? [] {
                    let operands = try Self.operands(try #require(text.text))
                    #expect(rule.category(for: operands) == category, "\(language) \(operands)")
                }
            }
        }
    }

    private static func operands(_ text: String) throws -> PluralOperands {
        let parts = text.split(separator: ".")
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        let significant = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return PluralOperands(
            i: try #require(UInt64(parts[0])), v: fraction.count, t: UInt64(significant) ?? 0, f: UInt64(fraction) ?? 0)
    }

    static func format(_ fields: JSONValue, locale: String) throws -> NumberFormat {
        var format = NumberFormat(locale: locale)
        func choice<T: RawRepresentable<String>>(_ key: String, _ apply: (T) -> Void) throws {
            guard let text = fields[key]?.text else { return }
            apply(try #require(T(rawValue: text)))
        }
        try choice("style") { format.style = $0 }
        try choice("currencyDisplay") { format.currencyDisplay = $0 }
        try choice("currencySign") { format.currencySign = $0 }
        try choice("unitDisplay") { format.unitDisplay = $0 }
        try choice("compactDisplay") { format.compactDisplay = $0 }
        try choice("grouping") { format.grouping = $0 }
        try choice("sign") { format.sign = $0 }
        try choice("rounding") { format.rounding = $0 }
        format.currency = fields["currency"]?.text
        format.unit = fields["unit"]?.text
        format.minimumIntegerDigits = fields["minimumIntegerDigits"]?.number.map { Int($0) }
        format.minimumDecimals = fields["minimumDecimals"]?.number.map { Int($0) }
        format.maximumDecimals = fields["maximumDecimals"]?.number.map { Int($0) }
        return format
    }
}
