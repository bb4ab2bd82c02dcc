// Durations of the calendar: counted from their anchor, in a zone.

import Testing
import Tween

@testable import RecurrenceRules

@Suite struct CalendarDurationTests {
    private func texts(_ text: String, from start: String, in name: String, count: Int) throws -> [String] {
        let zone = try #require(ZoneOffsets(named: name))
        let duration = try CalendarDuration(parsing: text)
        let anchor = try Instant(start)
        var instant = anchor
        return try (0..<count).map { _ in
            instant = try #require(duration.next(after: instant, from: anchor, in: zone))
            return instant.text(in: zone)
        }
    }

    @Test func `monthly and yearly durations keep the anchor's day at the ends of shorter months`() throws {
        #expect(
            try texts("P1M", from: "2026-01-31T08:00:00Z", in: "Europe/Berlin", count: 4)
                == [
                    "2026-02-28 09:00 +01:00", "2026-03-31 09:00 +02:00", "2026-04-30 09:00 +02:00",
                    "2026-05-31 09:00 +02:00",
                ])
        #expect(
            try texts("P1Y", from: "2024-02-29T12:00:00Z", in: "UTC", count: 4)
                == [
                    "2025-02-28 12:00 +00:00", "2026-02-28 12:00 +00:00", "2027-02-28 12:00 +00:00",
                    "2028-02-29 12:00 +00:00",
                ])
    }

    @Test func `a duration of days keeps the local time across clock changes`() throws {
        #expect(
            try texts("P1D", from: "2026-03-28T01:30:00Z", in: "Europe/Berlin", count: 3)
                == ["2026-03-29 03:30 +02:00", "2026-03-30 02:30 +02:00", "2026-03-31 02:30 +02:00"])
        #expect(
            try texts("P1D", from: "2026-10-24T00:30:00Z", in: "Europe/Berlin", count: 2)
                == ["2026-10-25 02:30 +02:00", "2026-10-26 02:30 +01:00"])
        #expect(
            try texts("P1W", from: "2026-03-25T08:00:00Z", in: "Europe/Berlin", count: 1) == ["2026-04-01 09:00 +02:00"]
        )
    }

    @Test func `hours and seconds of a duration count as elapsed time after its calendar parts`() throws {
        #expect(
            try texts("P1DT12H", from: "2026-03-27T23:00:00Z", in: "Europe/Berlin", count: 2)
                == ["2026-03-29 13:00 +02:00", "2026-03-31 00:00 +02:00"])
        #expect(
            try texts("P1MT0.5S", from: "2026-01-31T00:00:00Z", in: "UTC", count: 1) == ["2026-02-28 00:00 +00:00"])
    }

    @Test func `the next occurrence far from the anchor equals counting one by one`() throws {
        let zone = try #require(ZoneOffsets(named: "America/New_York"))
        let anchor = try Instant("2001-08-31T04:30:00Z")
        for text in ["P1D", "P1M", "P3M2DT5H", "P1W", "P1Y", "P7Y", "P13D", "P1DT0.25S"] {
            let duration = try CalendarDuration(parsing: text)
            var (count, last) = (1, anchor)
            while let expected = duration.occurrence(count, from: anchor, in: zone), count < 3_000 {
                #expect(duration.next(after: last, from: anchor, in: zone) == expected)
                let before = Instant(nanoseconds: expected.nanoseconds - 1)
                #expect(duration.next(after: before, from: anchor, in: zone) == expected)
                #expect(last < expected)
                (count, last) = (count + 1, expected)
            }
        }
    }

    @Test func `a duration at the last instant has no next occurrence`() throws {
        for text in ["P1D", "P100000Y", "P100000YT100000H", "P100000D"] {
            let duration = try CalendarDuration(parsing: text)
            let last = Instant(nanoseconds: .max)
            #expect(duration.next(after: last, from: Instant(nanoseconds: .min), in: .utc) == nil)
            #expect(duration.next(after: last, from: last, in: .utc) == nil)
        }
    }

    @Test(arguments: [
        ("P", "is not an ISO 8601 duration"), ("PT", "is not an ISO 8601 duration"),
        ("P1", "is not an ISO 8601 duration"),
        ("P1DT", "is not an ISO 8601 duration"), ("P1D1M", "is not an ISO 8601 duration"),
        ("P1H", "is not an ISO 8601 duration"),
        ("P-1D", "is not an ISO 8601 duration"), ("P1d", "is not an ISO 8601 duration"),
        ("PT1S1M", "is not an ISO 8601 duration"),
        ("P1M1M", "is not an ISO 8601 duration"), ("PT1DT1H", "is not an ISO 8601 duration"),
        ("P1..5D", "is not an ISO 8601 duration"),
        ("P0D", "longer than zero"), ("P0Y0M0DT0S", "longer than zero"), ("P0.5M", "must be whole"),
        ("P100001D", "above 100000"), ("P99999999999999999999999D", "above 100000"),
    ])
    func `a malformed duration is refused with a reason`(text: String, reason: String) {
        let error = #expect(throws: RuleError.self) { try CalendarDuration(parsing: text) }
        #expect(error?.reason.contains(reason) == true, "\(text): \(error?.reason ?? "")")
    }
}
