// Time zones by their files: what is read, what is refused, and the rule behind the last change.

import Foundation
import TestSupport
import Testing
import Tween

@testable import RecurrenceRules

@Suite struct ZoneFileTests {
    private static let berlin = ZoneFile(
        offsets: [3_208, 3_600, 7_200], changes: [(-2_422_054_408, 1), (1_774_746_000, 2), (1_792_890_000, 1)],
        footer: "CET-1CEST,M3.5.0,M10.5.0/3")

    private func offset(_ text: String, _ zone: ZoneOffsets) throws -> Int { zone.offset(at: try Instant(text)) }

    @Test func `a zone file's changes apply, and its footer's rule after them`() throws {
        let zone = try ZoneOffsets(zoneFile: Self.berlin.bytes)
        #expect(try offset("1700-01-01T00:00:00Z", zone) == 3_208)
        #expect(try offset("1893-03-31T23:06:31Z", zone) == 3_208)
        #expect(try offset("1893-03-31T23:06:32Z", zone) == 3_600)
        for (winter, summer) in [
            ("2026-10-25T01:00:00Z", "2026-10-25T00:59:59Z"), ("2260-01-31T00:00:00Z", "2260-07-01T00:00:00Z"),
            ("2027-03-28T00:59:59Z", "2027-03-28T01:00:00Z"), ("2100-10-31T01:00:00Z", "2100-10-31T00:59:59Z"),
        ] {
            #expect(try offset(winter, zone) == 3_600, "\(winter)")
            #expect(try offset(summer, zone) == 7_200, "\(summer)")
        }
    }

    @Test func `a zone file of version 1 keeps the offset of its last change`() throws {
        var file = Self.berlin
        file.version = 1
        file.changes.removeFirst()
        let zone = try ZoneOffsets(zoneFile: file.bytes)
        #expect(try offset("1700-01-01T00:00:00Z", zone) == 3_208)
        #expect(try offset("2026-07-01T00:00:00Z", zone) == 7_200)
        #expect(try offset("2200-07-01T00:00:00Z", zone) == 3_600)
    }

    @Test(arguments: [2, 3, 4]) func `zone files of versions 2 to 4 are read alike`(version: Int) throws {
        var file = Self.berlin
        file.version = version
        #expect(try ZoneOffsets(zoneFile: file.bytes) == ZoneOffsets(zoneFile: Self.berlin.bytes))
    }

    @Test func `a zone file with a rule alone applies it to all years`() throws {
        let zone = try ZoneOffsets(zoneFile: ZoneFile(offsets: [-18_000], footer: "EST5EDT,M3.2.0,M11.1.0").bytes)
        for year in [1700, 1899, 1970, 2026, 2261] {
            #expect(try offset("\(year)-01-15T00:00:00Z", zone) == -18_000)
            #expect(try offset("\(year)-07-15T00:00:00Z", zone) == -14_400)
        }
        #expect(try ZoneOffsets(zoneFile: ZoneFile(offsets: [0], footer: "UTC0").bytes).periods.count == 1)
    }

    @Test func `a change at the beginning of time doesn't limit the years of the rule`() throws {
        var file = Self.berlin
        file.changes = [(-576_460_752_303_423_488, 1)]
        let zone = try ZoneOffsets(zoneFile: file.bytes)
        #expect(try offset("1700-07-01T00:00:00Z", zone) == 7_200)
        #expect(zone.periods.count < 1_200)
    }

    @Test func `leap seconds of a zone file are subtracted`() throws {
        // As in the folder `right` of the database: 27 of them by 2017.
        let file = ZoneFile(
            offsets: [0, 3_600], changes: [(1_774_746_027, 1)], leaps: [(78_796_800, 1), (1_483_228_826, 27)])
        let zone = try ZoneOffsets(zoneFile: file.bytes)
        #expect(try offset("2026-03-29T00:59:59Z", zone) == 0)
        #expect(try offset("2026-03-29T01:00:00Z", zone) == 3_600)
    }

    static let rules: [(footer: String, samples: [(String, Int)])] = [
        ("<-03>3", [("2100-07-01T00:00:00Z", -10_800)]), ("<+0545>-5:45", [("2100-07-01T00:00:00Z", 20_700)]),
        // Ireland: the winter is the exception.
        (
            "IST-1GMT0,M10.5.0,M3.5.0/1",
            [
                ("2040-01-15T12:00:00Z", 0), ("2040-07-15T12:00:00Z", 3_600), ("2040-03-25T00:59:59Z", 0),
                ("2040-03-25T01:00:00Z", 3_600),
            ]
        ),
        // Greenland: on the Saturday before the last Sunday.
        (
            "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
            [
                ("2040-03-25T00:59:59Z", -7_200), ("2040-03-25T01:00:00Z", -3_600), ("2040-10-28T00:59:59Z", -3_600),
                ("2040-10-28T01:00:00Z", -7_200),
            ]
        ),
        // Gaza: hours beyond a day.
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", [("2040-03-23T23:59:59Z", 7_200), ("2040-03-24T00:00:00Z", 10_800)]),
        // Lord Howe: half an hour, and the year begins in summer.
        (
            "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
            [("2040-01-15T00:00:00Z", 39_600), ("2040-06-15T00:00:00Z", 37_800), ("2040-12-31T23:59:59Z", 39_600)]
        ),
        // Days by their number, with and without 29 February.
        (
            "AAA0BBB,J60/0,J300",
            [("2040-02-29T23:59:59Z", 0), ("2040-03-01T00:00:00Z", 3_600), ("2041-03-01T00:00:00Z", 3_600)]
        ),
        (
            "AAA0BBB,59/0,299",
            [("2040-02-28T23:59:59Z", 0), ("2040-02-29T00:00:00Z", 3_600), ("2041-03-01T00:00:00Z", 3_600)]
        ),
        // All the year, as RFC 9636 has it.
        (
            "EST5EDT,0/0,J365/25",
            [
                ("2040-01-01T04:59:59Z", -14_400), ("2040-01-01T05:00:00Z", -14_400), ("2041-01-01T05:00:00Z", -14_400),
                ("2040-07-01T00:00:00Z", -14_400),
            ]
        ),
    ]

    @Test(arguments: rules)
    func `footer rules are evaluated as in POSIX`(footer: String, samples: [(String, Int)]) throws {
        let zone = try ZoneOffsets(zoneFile: ZoneFile(version: 3, offsets: [0], footer: footer).bytes)
        for (date, seconds) in samples { #expect(try offset(date, zone) == seconds, "\(footer) \(date)") }
    }

    @Test(arguments: [
        "X", "CE1", "CET", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-1CEST,J0,J365",
        "CET-1CEST,J1,J366", "CET-1CEST,0,366", "<CET-1", "<+1>-1", "CET-1:60", "CET--1", ",M3.5.0,M10.5.0", "CET-1 ",
    ])
    func `a zone file with a malformed footer is refused`(footer: String) {
        #expect(throws: ZoneFileError("its footer is no rule")) {
            try ZoneOffsets(zoneFile: ZoneFile(offsets: [0], footer: footer).bytes)
        }
    }

    @Test func `a truncated zone file is refused, and a damaged byte doesn't trap`() throws {
        let bytes = Self.berlin.bytes
        for count in 0..<bytes.count {
            #expect(throws: ZoneFileError.self, "\(count)") { try ZoneOffsets(zoneFile: Array(bytes.prefix(count))) }
        }
        for place in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] = value
                guard let zone = try? ZoneOffsets(zoneFile: damaged) else { continue }
                _ = zone.second(atWall: zone.wall(at: 1_800_000_000))
            }
        }
    }

    @Test func `a zone file with impossible tables is refused with the reason`() {
        func check(_ file: ZoneFile, _ reason: String) {
            #expect(throws: ZoneFileError(reason)) { try ZoneOffsets(zoneFile: file.bytes) }
        }
        check(ZoneFile(offsets: [0], changes: [(5, 0), (5, 0)]), "its changes are in no order")
        check(ZoneFile(offsets: [0], changes: [(6, 0), (5, 0)]), "its changes are in no order")
        check(ZoneFile(offsets: [0], changes: [(5, 1)]), "a change is to a type that there isn't")
        check(ZoneFile(offsets: [93_600]), "an offset is out of range")
        check(ZoneFile(offsets: [-90_000]), "an offset is out of range")
        check(ZoneFile(offsets: []), "its header has impossible counts")
        #expect(throws: ZoneFileError("no TZif file")) { try ZoneOffsets(zoneFile: Array("# version 2026a\n".utf8)) }
    }

    @Test func `a zone file that skips a whole day is read, and cron skips that day`() throws {
        // Samoa skipped a day: a change of 24 hours.
        let file = ZoneFile(offsets: [-36_000, 50_400], changes: [(1_325_239_200, 1)], footer: "<+13>-13")
        let zone = try ZoneOffsets(zoneFile: file.bytes)
        let cron = ZonedCron(expression: try CronExpression(parsing: "0 9 * * *"), zone: zone)
        let first = try #require(cron.next(after: Instant("2011-12-29T00:00:00Z")))
        #expect(first.text(in: zone) == "2011-12-29 09:00 -10:00")
        #expect(try #require(cron.next(after: first)).text(in: zone) == "2011-12-31 09:00 +14:00")
    }

    @Test func `all zone files of the machine are read and agree with Foundation`() throws {
        let folder = "/usr/share/zoneinfo"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !$0.hasPrefix("right/") }
        var zones: [String: ZoneOffsets] = [:]
        for name in names {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)"),
                bytes.starts(with: Data("TZif".utf8))
            else { continue }
            zones[name] = try ZoneOffsets(zoneFile: Array(bytes))
        }
        #expect(zones.count > 300)
        for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Europe/Dublin"] {
            let (file, own) = (try #require(zones[name]), try #require(ZoneOffsets(named: name)))
            for day in stride(from: 0, to: 36_500, by: 3) {
                let second = day * 86_400 + 40_000
                #expect(file.wall(at: second) == own.wall(at: second), "\(name) \(second)")
            }
        }
    }
}
