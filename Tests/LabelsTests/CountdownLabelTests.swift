// Countdowns: which units a label shows, in which it counts, and what it refuses.

import Labels
import Locales
import Testing

struct CountdownLabelTests {
    private static func shown(_ text: String, _ seconds: Int, in locale: String? = nil) throws -> String {
        var label = try CountdownLabel(parsing: text)
        if let locale { label.words = try .words(in: locale) }
        let span = TimeSpan(seconds: seconds)
        #expect(label.escapedForJSON().text(of: span) == label.text(of: span))
        return label.text(of: span)
    }

    @Test(arguments: [
        ("{hours} hours {minutes} min left", 90_061, "25 hours 1 min left"), ("{minutes} min", 5_400, "90 min"),
        ("{seconds}", 5_400, "5400"), ("{days} d {minutes} min", 90_061, "1 d 61 min"),
        ("{days} d {hours} h {minutes} min {seconds} s", 90_061, "1 d 1 h 1 min 1 s"),
        ("{hours}:{minutes:02}:{seconds:02}", 90_061, "25:01:01"), ("{minutes:02}:{seconds:02}", 61, "01:01"),
        ("{days:03}", 86_400 * 12, "012"), ("{total:06} s", 90, "000090 s"), ("{seconds} {minutes}", 61, "1 1"),
    ])
    func `a countdown unit counts what no larger unit in the label shows`(text: String, seconds: Int, shown: String)
        throws
    {
        #expect(try Self.shown(text, seconds) == shown)
    }

    @Test(arguments: [
        ("{days, plural, one {# day} other {# days}} and {hours}", 90_061, "1 day and 1"),
        ("{days, plural, =0 {today} one {# day} other {# days}}", 5_400, "today"),
        ("{hours, plural, one {# hour} other {# hours}}", 90_061, "25 hours"),
        ("{minutes, plural, other {#}} min {{x}}", 5_400, "90 min {x}"),
        ("{days, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} day", 2 * 86_400, "2nd day"),
    ])
    func `plural forms in a countdown follow their unit's count`(text: String, seconds: Int, shown: String) throws {
        #expect(try Self.shown(text, seconds) == shown)
    }

    @Test func `plural forms in a countdown use the label's language, digits the reader's`() throws {
        var label = try CountdownLabel(
            parsing: "{days, plural, one {# день} few {# дня} many {# дней} other {# дня}}")
        label.words = try .words(in: "ru")
        let span = TimeSpan(seconds: 3 * 86_400)
        #expect(label.text(of: span) == "3 дня")
        #expect(label.shown(in: try .words(in: "ar-EG")).text(of: span) == "٣ дня")
    }

    @Test(arguments: [
        ("3 days left", 200_000, "2 days left"), ("3 days left", 90_000, "1 day left"),
        ("3 days left", 5_400, "0 days left"),
        ("5 hours to go", 7_200, "2 hours to go"), ("10 min", 5_400, "90 min"), ("in 90s", 61, "in 61s"),
        ("2 h 30 min", 5_400, "1 h 30 min"), ("2h30m", 5_400, "1h30m"), ("1 day, 2 hours", 3_600, "0 days, 1 hour"),
        ("3 Days Left", 86_400, "1 Day Left"), ("3 DAYS", 200_000, "2 DAYS"), ("10 mins", 60, "1 min"),
        ("2 hr 30 min", 8_700, "2 hr 25 min"), ("3 hrs", 7_200, "2 hrs"), ("3 hrs", 3_600, "1 hr"),
        ("Level 5 in 3 days", 200_000, "Level 5 in 2 days"), ("T-minus 10 s", 65, "T-minus 65 s"),
        ("5 daylight hours", 65, "65 daylight hours"), ("Gate 5 D", 65, "Gate 65 D"),
    ])
    func `a number beside a unit in a countdown counts in that unit`(text: String, seconds: Int, shown: String) throws {
        #expect(try Self.shown(text, seconds) == shown)
    }

    @Test(arguments: [
        ("noch 3 Stunden", "de", 7_200, "noch 2 Stunden"), ("noch 3 Stunden", "de", 3_600, "noch 1 Stunde"),
        ("noch 3 Tage", "de", 86_400, "noch 1 Tag"), ("jeszcze 2 dni", "pl", 5 * 86_400, "jeszcze 5 dni"),
        ("残り3日です", "ja", 200_000, "残り2日です"), ("3 hours", "de", 3_600, "1 hour"),
        ("saa 2", "sw", 10_800, "saa 3"), ("بعد ٣ أيام", "ar-EG", 2 * 86_400, "بعد يومان"),
        ("باقي ٣\u{A0}أيام|", "ar-EG", 2 * 86_400, "باقي يومان|"),
    ])
    func `countdown units are recognized in the label's language and in English`(
        text: String, locale: String, seconds: Int, shown: String
    ) throws {
        #expect(try Self.shown(text, seconds, in: locale) == shown)
    }

    @Test(arguments: [
        ("0:00:00", 3_661, "1:01:01"), ("00:00:00", 61, "00:01:01"), ("T-0:00", 5_400, "T-90:00"),
        ("in 1:30", 61, "in 1:01"), ("Launch", 61, "Launch 1:01"), ("Stage 2", 61, "Stage 61"),
    ])
    func `a clock in a countdown label continues as a clock`(text: String, seconds: Int, shown: String) throws {
        #expect(try Self.shown(text, seconds) == shown)
    }

    @Test(
        arguments: [("3 weeks left", nil), ("2 months", nil), ("noch 3 Wochen", "de"), ("5 yrs", nil)]
            as [(String, String?)])
    func `a countdown label with weeks, months or years is refused`(text: String, locale: String?) throws {
        var label = try CountdownLabel(parsing: text)
        if let locale { label.words = try .words(in: locale) }
        guard case .noSuchUnit = label.refusal?.reason else { throw try #require(label.refusal) }
    }

    @Test(arguments: [
        "{minutes:2}", "{minutes:00}", "{minutes:012}", "{clock:02}", "{days, plural, one {#}}",
        "{weeks, plural, other {#}}",
        "{words, plural, other {#}}", "{days, plural, other {{hours}}}",
    ])
    func `a malformed placeholder in a countdown label is refused`(text: String) {
        #expect(throws: LabelError.self) { try CountdownLabel(parsing: text) }
    }
}
