// Messages in the syntax of ICU: every kind of argument is shown as ICU has it, or refused.

import Labels
import Locales
import Testing

struct MessageTests {
    private static let place = "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} place"

    @Test(arguments: [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd"), (113, "113th")])
    func `an ordinal suffix follows the number`(value: Int, rank: String) throws {
        let label = try TickerLabel(message: Self.place)
        #expect(label.text(of: ExactDecimal(value)) == "\(rank) place")
        var bytes: [UInt8] = []
        label.append(Double(value), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "\(rank) place")
        #expect(label.parts(of: ExactDecimal(value)).map(\.text).joined() == "\(rank) place")
    }

    @Test(arguments: [
        ("{n}", "2"), ("Total: { n }!", "Total: 2!"), ("{n, number}", "2"), ("{0} coins", "2 coins"),
        ("{größe} m", "2 m"),
        ("It's {n} o'clock", "It's 2 o'clock"), ("'{n}' {n}", "{n} 2"), ("It''s {n}", "It's 2"), ("'#' {n}", "'#' 2"),
        ("{n, PLURAL, one {#} other {# x}}", "2 x"), ("{n,selectordinal,two{#nd}other{#th}}", "2nd"),
        (
            "{n, plural, one {a {n, selectordinal, other {x}}} other {# b {n, selectordinal, two {#nd} other {#th}}}}",
            "2 b 2nd"
        ),
        ("{n, selectordinal, =2 {second} other {#th}} of {n}", "second of 2"),
        ("{n, selectordinal, offset:1 one {#st} two {#nd} other {#th}}", "1st"),
        ("{n, plural, other {'#' # '{#}'}}", "# 2 {#}"),
    ])
    func `a message is formatted as in ICU`(text: String, shown: String) throws {
        #expect(TickerLabel.isMessage(text))
        #expect(try TickerLabel(message: text).text(of: ExactDecimal(2)) == shown)
    }

    @Test(arguments: [
        "{n, select, other {x}}", "{n, date}", "{n, time, short}", "{n, number, percent}",
        "{n, number, ::compact-short}",
        "{n, spellout}", "{n, ordinal}", "{n, duration}", "{n, choice, 0#none|1#one}",
        "{n, plurals, one {#} other {#}}",
        "{}", "a {} b", "{n left", "{n} {m}", "{n, selectordinal, one {#st}}", "{n, plural other {#}}",
    ])
    func `a message with unsupported arguments is refused and not taken as text`(text: String) {
        #expect(TickerLabel.isMessage(text))
        #expect(throws: LabelError.self) { try TickerLabel(message: text) }
    }

    @Test(arguments: [
        "5 {", ":-{", "{1, 2}", "{ 5 things }", "'{n}' 5", "{\"a\": 5}", "} 5 {", "no brace", "f() {return 5}",
        "{\u{2028}} 5", "{\r\u{2029}\u{85}} 5", "{\u{e000}} 5", "{\u{1f600}} 5",
    ])
    func `braces without a message argument are plain text`(text: String) {
        #expect(!TickerLabel.isMessage(text))
    }

    /// By n from 0 on: z for zero, 1, 2, f for few, m for many, - for other, as Intl.PluralRules of CLDR 48 has them.
    @Test(arguments: [
        ("en", "-12f-----------------12f-------12"), ("fr ro vi", "-1-------------------------------"),
        ("cy", "z12ffmmzzz-----------------------"), ("it", "--------m--m---------------------"),
        ("az", "m11ff1m11--11ff1m11-111ff1m11--11"), ("ka", "m1mmmmmmmmmmmmmmmmmmm------------"),
        ("kk", "------m--mm-----m--mm-----m--mm--"), ("mk", "-12----mm------------12----mm--12"),
        ("as bn", "-122f1m1111----------------------"), ("or", "-122f1m111-----------------------"),
        ("gu hi", "-122f-m--------------------------"), ("mr", "-122f----------------------------"),
        ("ca", "-121f----------------------------"), ("gd", "-12f-------12f-------------------"),
        ("hu", "-1---1---------------------------"), ("ne", "-1111----------------------------"),
        ("sq", "-1--m-------------------m--------"), ("sv", "-11------------------11--------11"),
        ("tk", "------f--ff-----f--f------f--f---"), ("uk", "---f-------------------f---------"),
        ("be", "--ff------------------ff--------f"), ("kw", "-1111m---------------1111--------"),
        ("blo", "z1fffff--------------------------"), ("de ja ru", "---------------------------------"),
    ])
    func `ordinal categories equal CLDR's in every language`(languages: String, forms: String) {
        let names: [PluralCategory: Character] = [.zero: "z", .one: "1", .two: "2", .few: "f", .many: "m", .other: "-"]
        for language in languages.split(separator: " ") {
            let rule = OrdinalRule(language: String(language))
            let shown = (0..<33).map { names[rule.category(for: PluralOperands(i: UInt64($0)))] ?? "?" }
            #expect(String(shown) == forms, "\(language)")
        }
        let georgian = OrdinalRule(language: "ka")
        #expect(georgian.category(for: PluralOperands(i: 1, v: 1, t: 5, f: 5)) == .one)
        #expect(OrdinalRule(language: "en").category(for: PluralOperands(i: 1, v: 1, t: 5, f: 5)) == .other)
    }
}
