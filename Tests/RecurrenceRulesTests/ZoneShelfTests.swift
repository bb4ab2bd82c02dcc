// Calendars by files: those before Foundation's data, links, damaged ones, and rules that change.

import Synchronization
import TestSupport
import Testing
import Tween

@testable import RecurrenceRules

@Suite struct ZoneShelfTests {
    /// A place whose clocks are so many hours off UTC.
    private static func files(_ version: String?, hours: Int, links: [String: String] = [:]) -> ZoneFiles {
        let name = hours < 0 ? "<-0\(-hours)>\(-hours)" : "<+0\(hours)>-\(hours)"
        return ZoneFiles(
            version: version,
            files: [
                "America/Vancouver": ZoneFile(offsets: [hours * 3_600], footer: name).bytes, "Bad/File": [1, 2, 3],
            ],
            links: links)
    }

    private func nine(_ rules: any CalendarRules, in zone: String) throws -> Instant? {
        let now = try Instant("2026-12-01T12:00:00Z")
        return try rules.recurrence("0 9 * * *", zone: zone).next(after: now, from: now)
    }

    @Test func `zone files of one version with other links have another edition`() {
        let editions = [[:], ["Canada/Pacific": "America/Vancouver"], ["Canada/Pacific": "Bad/File"]].map {
            Self.files("2026b", hours: -7, links: $0).edition
        }
        #expect(Set(editions).count == 3)
    }

    @Test func `a zone's file takes precedence over Foundation, which serves zones without a file`() throws {
        let told = Mutex<[String]>([])
        let calendar = ZonedCalendar(Self.files("2026b", hours: -7, links: ["Canada/Pacific": "America/Vancouver"])) {
            zone, error in told.withLock { $0.append("\(zone): \(error)") }
        }
        #expect(calendar.zoneVersion == "2026b")
        for name in ["America/Vancouver", "Canada/Pacific"] {
            #expect(try nine(calendar, in: name) == Instant("2026-12-01T16:00:00Z"))
        }
        #expect(try nine(calendar, in: "Europe/Berlin") == Instant("2026-12-02T08:00:00Z"))
        #expect(throws: RecurrenceError.self) { try nine(calendar, in: "Bad/File") }
        #expect(throws: RecurrenceError.self) { try nine(calendar, in: "Nope/Nowhere") }
        #expect(told.withLock { $0 } == ["Bad/File: the file ends too early"])
    }

    @Test func `an edition changes with the zone files' bytes, a version with its name`() {
        let one = ZonedCalendar(Self.files("2026b", hours: -7))
        let other = ZonedCalendar(Self.files("2026b", hours: -8))
        #expect(one.zoneVersion == other.zoneVersion && one.edition != other.edition)
        #expect(one.edition == ZonedCalendar(Self.files("2026b", hours: -7)).edition)
        let (unnamed, last) = (ZonedCalendar(Self.files(nil, hours: -7)), ZonedCalendar(Self.files(nil, hours: -8)))
        #expect(unnamed.zoneVersion.hasPrefix("unnamed-") && unnamed.zoneVersion != last.zoneVersion)
        #expect(ZonedCalendar().zoneVersion.hasSuffix("-icu"))
    }

    @Test func `version and links are read from the text of the zone database`() {
        let text =
            "# version 2026b\n# comment\nZ Europe/Berlin 1 - CET\nL Europe/Berlin Europe/Oslo\nL Europe/Oslo Atlantic/Jan_Mayen\n"
        #expect(ZoneFiles.version(ofDatabase: text) == "2026b")
        #expect(ZoneFiles.version(ofDatabase: "Z x") == nil)
        #expect(
            ZoneFiles.links(ofDatabase: text)
                == ["Europe/Oslo": "Europe/Berlin", "Atlantic/Jan_Mayen": "Europe/Berlin"])
    }

    @Test func `a new zone version is taken over on reload, and earlier versions stay available`() throws {
        let hours = Mutex(-8)
        let shelf = ZoneCache {
            let now = hours.withLock { $0 }
            return ZonedCalendar(Self.files("v\(-now)", hours: now))
        }
        let before = shelf.now
        #expect(try nine(shelf, in: "America/Vancouver") == Instant("2026-12-01T17:00:00Z"))
        hours.withLock { $0 = -7 }
        #expect(shelf.zoneVersion == "v8")
        #expect(shelf.rules(version: "v9") == nil)
        #expect(shelf.zoneVersion == "v7")
        #expect(try nine(shelf, in: "America/Vancouver") == Instant("2026-12-01T16:00:00Z"))
        #expect(try nine(before, in: "America/Vancouver") == Instant("2026-12-01T17:00:00Z"))
        #expect(shelf.rules(version: "v8")?.edition == before.edition)
        #expect(shelf.renew().edition == shelf.edition)
    }

    /// The date that a schedule waits for when the rules change from eight hours behind UTC to seven, or back.
    @Test(arguments: [
        // Nine o'clock stays nine o'clock.
        ("0 9 * * *", -8, -7, "2026-12-01T17:00:00Z", "2026-12-01T16:00:00Z"),
        ("0 9 * * *", -7, -8, "2026-12-01T16:00:00Z", "2026-12-01T17:00:00Z"),
        // Ten o'clock of one is nine of the other: neither is lost, and none fires twice.
        ("0 9,10 * * *", -8, -7, "2026-12-01T17:00:00Z", "2026-12-01T16:00:00Z"),
        ("0 9,10 * * *", -7, -8, "2026-12-01T16:00:00Z", "2026-12-01T17:00:00Z"),
        ("*/30 9 * * *", -8, -7, "2026-12-01T17:00:00Z", "2026-12-01T16:00:00Z"),
        ("P1D", -8, -7, "2026-12-02T12:00:00Z", "2026-12-02T12:00:00Z"),
    ])
    func `a schedule's due date keeps its local time when the zone's rules change`(
        rule: String, old: Int, new: Int, due: String, moved: String
    ) throws {
        let now = try Instant("2026-12-01T12:00:00Z")
        let (before, after) = (ZonedCalendar(Self.files("a", hours: old)), ZonedCalendar(Self.files("b", hours: new)))
        let plan = FiringPlan(recurrence: .calendar(try before.recurrence(rule, zone: "America/Vancouver")))
        var firing = try Firing(plan, at: now)
        #expect(firing.due == (try Instant(due)))
        let other = plan.compiled(by: after)
        let changes = [firing.adopt(plan.compiled(by: before), at: now), firing.adopt(other, at: now)]
        #expect(changes == [false, true])
        #expect(firing.due == (try Instant(moved)))
        #expect(firing.offset == new * 3_600)
        // After a restart with the same rules nothing is another.
        var restored = Firing(
            due: firing.due, anchor: firing.anchor, isDated: true, remaining: nil, fired: 0, offset: firing.offset)
        let isOther = restored.adopt(other, at: now)
        #expect(!isOther && restored == firing)
    }

    @Test func `a first date stays when the zone's rules change`() throws {
        let now = try Instant("2026-12-01T12:00:00Z")
        let date = try Instant("2026-12-05T17:00:00Z")
        let before = ZonedCalendar(Self.files("a", hours: -8))
        let rule = try before.recurrence("0 9 * * *", zone: "America/Vancouver")
        let plan = FiringPlan(first: .at(date), recurrence: .calendar(rule))
        var firing = try Firing(plan, at: now)
        _ = firing.adopt(plan.compiled(by: ZonedCalendar(Self.files("b", hours: -7))), at: now)
        #expect(firing.due == date)
    }
}
