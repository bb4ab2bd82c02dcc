// A book of schedules, driven by instants.

import Foundation
import Testing
import Tween

@testable import Schedules

@Suite struct ScheduleBookTests {
    private let start = Date(timeIntervalSince1970: 1_780_000_000)
    private func at(_ seconds: Double) -> Instant { Instant(start).advanced(bySeconds: seconds) }
    private func date(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    /// An event in a word: `fired tea 1`.
    private func words(_ events: [ScheduleEvent<String>]) -> [String] {
        events.map { event in
            switch event {
            case .scheduled(let id, _): "scheduled \(id)"
            case .fired(let firing): "fired \(firing.id) \(firing.count)"
            case .skipped(let id, _, let next): "skipped \(id)\(next == nil ? "" : ", goes on")"
            case .paused(let id): "paused \(id ?? "all")"
            case .resumed(let id): "resumed \(id ?? "all")"
            case .removed(let id, let reason): "removed \(id) \(reason)"
            }
        }
    }

    private func book(_ rules: KeyValuePairs<String, ScheduleRule>) throws -> ScheduleBook<String> {
        var book = ScheduleBook<String>()
        for (id, rule) in rules { _ = try book.schedule(rule, "N", id: id, at: at(0)) }
        return book
    }

    @Test func `a date fires once, at its instant, and leaves the book`() throws {
        var book = try book(["s": .at(date(2))])
        #expect(book.advance(to: at(1.999)).isEmpty && book.nextDue == at(2))
        let events = book.advance(to: at(2))
        #expect(words(events) == ["fired s 1", "removed s completed"])
        #expect(events.first == .fired(ScheduleFiring(id: "s", action: "N", due: at(2), count: 1)))
        #expect(book.count == 0 && book.nextDue == nil)
    }

    @Test func `schedules fire and are listed in the order of their instants`() throws {
        var book = try book(["b": .after(5), "past": .at(date(-9)), "a": .after(.seconds(5)), "c": .after(2)])
        #expect(book.entries.map(\.id) == ["past", "c", "b", "a"])
        #expect(
            words(book.advance(to: at(9))).filter { $0.hasPrefix("fired") }
                == ["fired past 1", "fired c 1", "fired b 1", "fired a 1"])
    }

    @Test func `schedules due at one instant fire in the order they were made, also when stored`() throws {
        var book = try book(["b": .every(6), "a": .every(3), "c": .after(6), "d": .after(6)])
        _ = try (book.advance(to: at(3)), book.schedule(.after(3), "N", id: "c", at: at(3)))
        _ = (book.pause("b", at: at(4)), book.resume("b", at: at(4)))
        var restored = try JSONDecoder().decode(ScheduleBook<String>.self, from: JSONEncoder().encode(book))
        let told = words(book.advance(to: at(6))).filter { $0.hasPrefix("fired") }
        #expect(told == ["fired b 1", "fired a 2", "fired d 1", "fired c 1"])
        #expect(words(restored.advance(to: at(6))).filter { $0.hasPrefix("fired") } == told)
    }

    @Test func `an interval never fires twice at one instant, nor beyond the last one there is`() throws {
        // 0.29 / 0.01 is a little less than 29.
        var book = try book(["s": .every(0.01)])
        _ = book.advance(to: at(0.01))
        #expect(words(book.advance(to: at(0.3))) == ["fired s 2"])
        #expect(words(book.advance(to: Instant(nanoseconds: .max))) == ["fired s 3", "removed s completed"])
    }

    @Test func `an interval that was missed several times fires once, as often as times says`() throws {
        var book = try book(["s": .every(2).times(3)])
        #expect(words(book.advance(to: at(7))) == ["fired s 1"] && book.nextDue == at(8))
        #expect(words(book.advance(to: at(8))) == ["fired s 2"])
        #expect(words(book.advance(to: at(10))) == ["fired s 3", "removed s completed"])
    }

    @Test func `a monthly rule from the 31st keeps the last day of each month, until its end`() throws {
        let first = try Date("2026-01-31T08:00:00Z", strategy: .iso8601)
        let end = try Date("2026-03-31T08:00:00Z", strategy: .iso8601)
        var book = ScheduleBook<String>()
        let rule = ScheduleRule.every("P1M", timeZone: "Europe/Berlin").starting(at: first).until(end)
        _ = try book.schedule(rule, "rent", id: "rent", at: Instant(first.addingTimeInterval(-1)))
        let dates = book["rent"]?.upcoming(9, at: Instant(first)).map { Date($0).ISO8601Format() }
        #expect(dates == ["2026-01-31T08:00:00Z", "2026-02-28T08:00:00Z", "2026-03-31T07:00:00Z"])
    }

    @Test func `an interval that a pause carries beyond its last date is over`() throws {
        var book = try book(["s": .every(4).until(date(6))])
        #expect(words(book.pause("s", at: at(2))) == ["paused s"])
        #expect(words(book.resume("s", at: at(5))) == ["resumed s", "skipped s", "removed s skipped"])
        book = try self.book(["s": .every(4).until(date(6))])
        #expect(words(book.advance(to: at(7))) == ["fired s 1", "removed s completed"])
    }

    @Test func `a pause keeps what is left of an interval; a date stays and is overdue`() throws {
        var book = try book(["i": .every(4), "d": .at(date(3))])
        #expect(words(book.pauseAll(at: at(1))) == ["paused all"])
        #expect(book.nextDue == nil && book.advance(to: at(9)).isEmpty)
        #expect(book["i"]?.due == nil && book["i"]?.remaining(at: at(9)) == 3 && book["d"]?.due == at(3))
        #expect("\(book)" == "Paused, 2 pending")
        #expect(words(book.resumeAll(at: at(9))) == ["resumed all"])
        #expect(words(book.advance(to: at(9))) == ["fired d 1", "removed d completed"])
        #expect(book.nextDue == at(12))
    }

    @Test func `a schedule paused by itself stays paused after resumeAll`() throws {
        var book = try book(["s": .after(2)])
        #expect(words(book.pause("s", at: at(1))) == ["paused s"] && book.pause("s", at: at(1)).isEmpty)
        _ = (book.pauseAll(at: at(1)), book.resumeAll(at: at(5)))
        #expect(book.nextDue == nil)
        #expect(words(book.resume("s", at: at(7))) == ["resumed s"] && book.nextDue == at(8))
    }

    @Test func `a schedule with skippingMissed skips missed firings at resumeAll`() throws {
        let rule = ScheduleRule.every(10).starting(at: date(3)).skippingMissed()
        var book = try book(["once": .at(date(3)).skippingMissed(), "again": rule])
        _ = book.pauseAll(at: at(1))
        #expect(
            words(book.resumeAll(at: at(7))).sorted()
                == ["removed once skipped", "resumed all", "skipped again, goes on", "skipped once"])
        #expect(book.nextDue == at(13))
    }

    @Test func `an existing id replaces the schedule whole, and cancel removes it`() throws {
        var book = try book(["a": .after(5)])
        _ = try book.schedule(.after(2), "new", id: "a", at: at(0))
        #expect(book.count == 1 && book.nextDue == at(2) && book["a"]?.action == "new")
        #expect(words(book.cancel("a")) == ["removed a cancelled"] && book.cancel("a").isEmpty)
        _ = try book.schedule(.after(2), "x", id: "x", at: at(0))
        #expect(words(book.cancelAll()) == ["removed x cancelled"] && book.nextDue == nil)
    }

    @Test(
        arguments: [
            (.every(0), "an interval must be between 0.01 seconds and 365 days"),
            (.every(.nan), "an interval must be between 0.01 seconds and 365 days"),
            (.every("PT0.001S"), "an interval must be between 0.01 seconds and 365 days"),
            (.every("0 25 * * *"), "every: hour `25` is not between 0 and 23"),
            (
                .every("@daily", timeZone: "Nope"),
                "timeZone: unknown time zone Nope; use an IANA name such as Europe/Berlin or UTC"
            ),
            (.after(-1), "what comes after seconds must come after 0 to 315360000 of them"),
            (.after(1).times(2), "happening more than once needs `every`"),
            (.every(1).times(0), "must happen 1 to 1000000000 times"),
            (.after(1).until(.distantPast), "until: must not be before the first firing"),
        ] as [(ScheduleRule, String)])
    func `a rule that can't be kept is refused, and the book stays as it is`(rule: ScheduleRule, reason: String) throws
    {
        var book = try book(["s": .after(1)])
        #expect(throws: ScheduleError.invalid(reason)) { try book.schedule(rule, "N", id: "s", at: at(0)) }
        #expect(book["s"]?.rule == .after(1))
    }

    @Test func `a full book takes nothing new, but a replacement`() throws {
        var book = ScheduleBook<String>(limit: 1)
        _ = try book.schedule(.after(1), "N", id: "a", at: at(0))
        #expect(throws: ScheduleError.full(limit: 1)) { try book.schedule(.after(1), "N", id: "b", at: at(0)) }
        #expect(try words(book.schedule(.after(3), "N", id: "a", at: at(0))) == ["scheduled a"])
    }

    @Test func `a stored book goes on where it was, pauses included`() throws {
        var book = try book([
            "i": .every(4), "d": .at(date(3)).skippingMissed(), "c": .every("0 9 * * *", timeZone: "Asia/Kathmandu"),
        ])
        _ = (book.pause("i", at: at(1)), book.advance(to: at(2)))
        let stored = try JSONEncoder().encode(book)
        var again = try JSONDecoder().decode(ScheduleBook<String>.self, from: stored)
        #expect(again["i"]?.isPaused == true && again["i"]?.remaining(at: at(99)) == 3)
        #expect(again["c"]?.due == book["c"]?.due && again["c"]?.rule == book["c"]?.rule)
        #expect(words(again.skipMissed(at: at(9))) == ["skipped d", "removed d skipped"])
        _ = again.resume("i", at: at(10))
        #expect(again.nextDue == at(13))
    }

    private static let stored =
        #"{"isPaused":false,"limit":1,"schedules":[{"action":"N","anchor":1780000003000000000,"#
        + #""due":1780000003000000000,"fired":0,"id":"s","isDated":true,"isPaused":false,"rule":{"count":2,"#
        + #""end":1780000009000000000,"first":{"at":{"date":1780000003000000000}},"#
        + #""repetition":{"calendar":{"text":"P1D","timeZone":"UTC"}},"skipsMissed":true}}],"version":1}"#

    @Test func `a book's encoded JSON form does not change`() throws {
        var book = ScheduleBook<String>(limit: 1)
        let rule = ScheduleRule.every("P1D", timeZone: "UTC").starting(at: date(3)).times(2).until(date(9))
        _ = try book.schedule(rule.skippingMissed(), "N", id: "s", at: at(0))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(book), as: UTF8.self) == Self.stored)
        #expect(try JSONDecoder().decode(ScheduleBook<String>.self, from: Data(Self.stored.utf8)) == book)
    }

    @Test(arguments: [
        (#""version":1"#, #""version":2"#), (#""limit":1"#, #""limit":0"#), ("P1D", "P1X"), (#""at":"#, #""on":"#),
        (#""fired":0"#, #""fired":-1"#), (#""fired":0"#, #""fired":0,"remaining":1"#), (#""action":"N","#, ""),
        (#""isDated":true"#, #""isDated":false,"remaining":-1"#),
    ])
    func `JSON that no book could have encoded is rejected`(part: String, other: String) throws {
        let text = Self.stored.replacing(part, with: other)
        #expect(text != Self.stored)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ScheduleBook<String>.self, from: Data(text.utf8))
        }
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `a decoded book of any instant runs without overflow`(nanoseconds: Int64) throws {
        let text = Self.stored.replacing("1780000003000000000", with: "\(nanoseconds)")
            .replacing(#""fired":0"#, with: #""fired":\#(Int.max)"#)
        for now in [Int64.min, -1, 0, .max] {
            var book = try JSONDecoder().decode(ScheduleBook<String>.self, from: Data(text.utf8))
            let now = Instant(nanoseconds: now)
            _ = (book.pauseAll(at: now), book.resumeAll(at: now), book.skipMissed(at: now), book.advance(to: now))
            #expect(book.nextDue.map { $0 > now } ?? true)
        }
    }
}
