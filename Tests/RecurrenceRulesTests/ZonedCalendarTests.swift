// The calendar as the board sees it, and zones by name.

import Testing
import Tween

@testable import RecurrenceRules

@Suite struct ZonedCalendarTests {
    @Test(arguments: [
        "UTC", "Europe/Berlin", "Etc/GMT-3", "US/Eastern", "Asia/Calcutta", "Europe/Kyiv", "EST5EDT", "Japan",
        "America/Argentina/Buenos_Aires",
    ])
    func `a zone of the IANA database is known`(name: String) {
        #expect(ZoneOffsets(named: name) != nil)
    }

    @Test(arguments: [
        "", "Nope/Nowhere", "europe/berlin", "PST", "IST", "GMT+3", "UTC+3", "+02:00", "../../etc/passwd", "Europe/",
        "SystemV/PST8", "Etc/Unknown", "Europe/Berlin ", "posix/Europe/Berlin",
    ])
    func `an unknown time zone is refused by name`(name: String) {
        #expect(
            throws: RecurrenceError(
                field: "timeZone", reason: "unknown time zone \(name); use an IANA name such as Europe/Berlin or UTC")
        ) {
            try ZonedCalendar().recurrence("@daily", zone: name)
        }
    }

    @Test func `a malformed rule names the field every, and an unknown time zone is reported first`() {
        let calendar = ZonedCalendar()
        #expect(throws: RecurrenceError(field: "every", reason: "hour `25` is not between 0 and 23")) {
            try calendar.recurrence("0 25 * * *", zone: "Europe/Berlin")
        }
        #expect(
            throws: RecurrenceError(
                field: "every", reason: "PT90M is the same in every time zone; leave out `timeZone`")
        ) {
            try calendar.recurrence("PT90M", zone: "Europe/Berlin")
        }
        #expect(throws: RecurrenceError.self) { try calendar.recurrence("nonsense", zone: "Nope/Nowhere") }
    }

    @Test(arguments: [
        (0, 0, "UTC"), (1_774_747_800, 1_774_744_200, "Europe/Berlin"),
        // 29 March 2026 has no 2:30, which is 3:30; 25 October has two, of which the first is meant.
        (1_774_751_400, 1_774_747_800, "Europe/Berlin"), (1_792_895_400, 1_792_888_200, "Europe/Berlin"),
    ])
    func `a local time in a gap or overlap maps to one second`(wall: Int, second: Int, zone: String) throws {
        #expect(try ZonedCalendar().second(atWall: wall, zone: zone) == second)
        #expect(try ZoneCache { ZonedCalendar() }.second(atWall: wall, zone: zone) == second)
        #expect(throws: RecurrenceError.self) { try ZonedCalendar().second(atWall: wall, zone: "Nope/Nowhere") }
    }

    @Test func `a rule counts in its time zone, and in UTC without one`() throws {
        let calendar = ZonedCalendar()
        let now = try Instant("2026-06-01T00:00:00Z")
        let anchor = try Instant("2026-01-31T12:00:00Z")
        let rule = try calendar.recurrence("0 9 * * *", zone: "America/New_York")
        #expect(rule.next(after: now, from: anchor) == (try Instant("2026-06-01T13:00:00Z")))
        #expect(
            try calendar.recurrence("0 9 * * *", zone: nil).next(after: now, from: anchor)
                == (try Instant("2026-06-01T09:00:00Z")))
        #expect(
            try calendar.recurrence("P1M", zone: nil).next(after: now, from: anchor)
                == (try Instant("2026-06-30T12:00:00Z")))
        #expect(rule == (try calendar.recurrence("0 9 * * *", zone: "America/New_York")))
        #expect(rule != (try calendar.recurrence("0 9 * * *", zone: "America/Chicago")))
    }

    @Test func `more rules than the cache keeps still work`() throws {
        let calendar = ZonedCalendar()
        for day in 1...28 {
            for minute in 0..<400 {
                let rule = try calendar.recurrence("\(minute % 60) \(minute / 60) \(day) 1 *", zone: nil)
                #expect(rule.next(after: Instant(nanoseconds: 0), from: Instant(nanoseconds: 0)) != nil)
            }
        }
    }

    @Test func `a zone's offset changes at its periods, and local times map back`() throws {
        for name in ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Monrovia"] {
            let zone = try #require(ZoneOffsets(named: name))
            for (index, period) in zone.periods.enumerated().dropFirst() {
                #expect(zone.index(at: period.start) == index && zone.index(at: period.start - 1) == index - 1)
                #expect(zone.second(atWall: zone.wall(at: period.start - 1)) == period.start - 1)
                let change = period.offset - zone.periods[index - 1].offset
                // After the gap, or after what is shown twice, every second is its own.
                let later = period.start + abs(change)
                #expect(zone.second(atWall: zone.wall(at: later)) == later)
                // In the gap as much later as it is long; in the overlap the first of two.
                let inside = change > 0 ? period.start + change - 1 : period.start + change
                let wall = change > 0 ? zone.wall(at: period.start) - 1 : zone.wall(at: period.start)
                #expect(zone.second(atWall: wall) == inside)
            }
        }
    }
}
