// Plural messages, and spans of time.

import Labels
import Testing

struct PluralMessageTests {
    @Test(arguments: [(0, "no coins!"), (1, "one coin!"), (2, "2 coins!"), (1_000, "1000 coins!"), (-1, "-1 coin!")])
    func `a plural message takes the form of its number`(value: Int, text: String) throws {
        let message = "{n, plural, =0 {no coins} =1 {one coin} one {# coin} other {# coins}}!"
        let label = try TickerLabel(message: message)
        #expect(label.text(of: ExactDecimal(value)) == text)
        var bytes: [UInt8] = []
        label.append(Double(value), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == label.text(of: ExactDecimal(value)))
    }

    @Test func `a plural form follows the digits shown, not the value`() throws {
        var label = try TickerLabel(message: "{n, plural, one {# star} other {# stars}}", language: "en")
        #expect(label.text(of: ExactDecimal(1)) == "1 star")
        label.plan.decimals = 1
        #expect(label.text(of: ExactDecimal(1)) == "1.0 stars")
        label.plan.decimals = 0
        var bytes: [UInt8] = []
        label.append(0.6, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "1 star")
    }

    @Test(arguments: [(1, "1 монета"), (3, "3 монеты"), (5, "5 монет"), (21, "21 монета"), (111, "111 монет")])
    func `plural categories are those of the message's language`(value: Int, text: String) throws {
        let message = "{n, plural, one {# монета} few {# монеты} many {# монет} other {# монеты}}"
        #expect(try TickerLabel(message: message, language: "ru-RU").text(of: ExactDecimal(value)) == text)
    }

    @Test(arguments: [
        ("0", "Nobody of 0"), ("1", "You of 1"), ("2", "You and 1 other of 2"), ("3", "You and 2 others of 3"),
        ("1001", "You and 1000 others of 1001"), ("-1", "You and -2 others of -1"),
        ("0.5", "You and -0.5 others of 0.5"),
    ])
    func `a plural offset is subtracted before choosing the category and in the shown number`(
        value: String, text: String
    ) throws {
        let label = try TickerLabel(
            message: """
                {n, plural, offset:1 =0 {Nobody} =1 {You} one {You and # other} other {You and # others}} of {n}
                """)
        let number = try #require(ExactDecimal(parsing: value))
        var shown = label
        shown.plan.decimals = number.scale
        #expect(shown.text(of: number) == text)
        var bytes: [UInt8] = []
        shown.append(number.double, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(shown.parts(of: number).map(\.text).joined() == text)
        #expect(shown.parts(of: number.double).map(\.text).joined() == text)
        #expect(shown.escapedForJSON().text(of: number) == text)
    }

    @Test func `a plural offset is accepted with any spacing and in nested messages`() throws {
        for text in [
            "{n,plural,offset:2 other{#}}", "{ n , plural , offset: 2\nother {#} }", "{n, plural, offset:02 other {#}}",
        ] {
            #expect(try TickerLabel(message: text).text(of: ExactDecimal(5)) == "3")
        }
        let nested = "{n, plural, offset:1 =1 {one} other {{n, plural, offset:1 one {# more} other {# of {n}}}}}"
        #expect(try TickerLabel(message: nested).text(of: ExactDecimal(2)) == "1 more")
        #expect(try TickerLabel(message: nested).text(of: ExactDecimal(9)) == "8 of 9")
    }

    @Test func `messages may nest, quote braces and repeat the number`() throws {
        let label = try TickerLabel(
            message: "'{'{n}'}' {n, plural, one {it''s #} other {{n} '#' {n, plural, other {x#}}}} #")
        #expect(label.text(of: ExactDecimal(1)) == "{1} it's 1 #")
        #expect(label.text(of: ExactDecimal(7)) == "{7} 7 # x7 #")
        #expect(try TickerLabel(message: "\"{n}\"").escapedForJSON().text(of: ExactDecimal(1)) == "\\\"1\\\"")
    }

    @Test(arguments: [
        "{", "}", "{n", "{n, plural}", "{n, plural, }", "{n, plural, one {#}}", "{n, plural, other {#}",
        "{n, select, other {x}}",
        "{n, plural, other {#} other {#}}", "{n, plural, some {#} other {#}}", "{n, plural, =x {#} other {#}}",
        "{a} {b}", "{}",
        "{n, plural, =1.5 {#} other {#}}", "{n, date}", "{n, plural, offset: other {#}}",
        "{n, plural, offset:x other {#}}", "{n, plural, offset:1000001 other {#}}", "{n, plural, offset:1}",
        "{n, plural, other {#} offset:1}", "{n, plural, offset:1 offset:1 other {#}}",
        "{n, plural, offset:-1 other {#}}",
        "{n, plural, offset:1 other {#}} {n, plural, other {#}}",
        "{n,plural,other{{n,plural,other{{n,plural,other{{n,plural,other{{n,plural,other{x}}}}}}}}}}",
    ])
    func `a malformed message is refused`(message: String) {
        #expect(throws: LabelError.self) { try TickerLabel(message: message) }
    }

    @Test(arguments: [
        ("{n, plural, other {#}}", true), ("x {count,plural,other{}}", true), ("5 coins", false), ("{n}", true),
        ("{{plural}}", true), ("{5 coins}", false),
    ])
    func `a message is recognized by its argument in braces`(text: String, isMessage: Bool) {
        #expect(TickerLabel.isMessage(text) == isMessage)
    }

    @Test(arguments: [
        "am", "hy", "en", "ak", "af", "si", "tzm", "da", "is", "mk", "ceb", "lv", "lag", "cv", "he", "iu", "shi", "mo",
        "bs",
        "fr", "pt", "pt-PT", "es", "gd", "sl", "dsb", "sk", "pl", "be", "lt", "uk", "br", "mt", "ga", "gv", "kw", "ars",
        "cy",
    ])
    func `a plural rule's representative language has that rule`(language: String) {
        let rule = PluralRule(language: language)
        #expect(rule.language.map { PluralRule(language: $0) } == rule)
    }
}

struct TimeSpanTests {
    @Test(arguments: [
        (0, "0:00", "0 s", "0 seconds"), (8, "0:08", "8 s", "8 seconds"),
        (61, "1:01", "1 min 1 s", "1 minute, 1 second"),
        (309, "5:09", "5 min 9 s", "5 minutes, 9 seconds"), (3_909, "1:05:09", "1 h 5 min", "1 hour, 5 minutes"),
        (7_200, "2:00:00", "2 h", "2 hours"), (7_500, "2:05:00", "2 h 5 min", "2 hours, 5 minutes"),
        (90_061, "25:01:01", "1 d 1 h", "1 day, 1 hour"), (-5, "0:00", "0 s", "0 seconds"),
    ])
    func `a time span has a clock, a short and a long text`(seconds: Int, clock: String, units: String, words: String) {
        let span = TimeSpan(seconds: seconds)
        #expect(span.text(.clock) == clock)
        #expect(span.text(.units) == units)
        #expect(span.text(.words) == words)
    }

    @Test func `time left rounds up to seconds, time passed rounds down`() {
        #expect(TimeSpan(remaining: 7.2).totalSeconds == 8)
        #expect(TimeSpan(remaining: 8.000_000_1).totalSeconds == 8)
        #expect(TimeSpan(remaining: 0.001).totalSeconds == 1)
        #expect(TimeSpan(remaining: 0).totalSeconds == 0)
        #expect(TimeSpan(elapsed: 7.9).totalSeconds == 7)
        #expect(TimeSpan(remaining: 8).days == 0)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func `any number of seconds makes a time span without a trap`(seconds: Double) {
        #expect((0...TimeSpan.maximumSeconds).contains(TimeSpan(remaining: seconds).totalSeconds))
        #expect((0...TimeSpan.maximumSeconds).contains(TimeSpan(elapsed: seconds).totalSeconds))
    }
}
