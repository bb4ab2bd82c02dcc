// Changes of the clocks, by name: gaps, overlaps, half hours, a skipped day.

import Testing
import Tween

@testable import RecurrenceRules

@Suite struct DaylightTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let expression: String
        let zone: String
        /// RFC 3339.
        let after: String
        let expected: [String]

        init(_ expression: String, _ zone: String, after: String, _ expected: [String]) {
            self.expression = expression
            self.zone = zone
            self.after = after
            self.expected = expected
        }

        var testDescription: String { "\(expression) in \(zone) after \(after)" }
    }

    private func check(_ daylight: Case) throws {
        let zone = try #require(ZoneOffsets(named: daylight.zone))
        let cron = ZonedCron(expression: try CronExpression(parsing: daylight.expression), zone: zone)
        var instant = try Instant(daylight.after)
        var found: [String] = []
        for _ in daylight.expected {
            instant = try #require(cron.next(after: instant))
            found.append(instant.text(in: zone))
        }
        #expect(found == daylight.expected, "\(daylight.testDescription)")
    }

    static let gaps = [
        Case(
            "30 2 * * *", "Europe/Berlin", after: "2026-03-28T00:00:00Z",
            ["2026-03-28 02:30 +01:00", "2026-03-29 03:30 +02:00", "2026-03-30 02:30 +02:00"]),
        Case(
            "0,30 2,3 * * *", "America/New_York", after: "2026-03-08T05:00:00Z",
            ["2026-03-08 03:00 -04:00", "2026-03-08 03:30 -04:00", "2026-03-09 02:00 -04:00"]),
        Case(
            "15 2 * * *", "Australia/Lord_Howe", after: "2026-10-03T12:00:00Z",
            ["2026-10-04 02:45 +11:00", "2026-10-05 02:15 +11:00"]),
        Case(
            "30 2 * * SUN", "Africa/Casablanca", after: "2026-03-21T12:00:00Z",
            ["2026-03-22 03:30 +01:00", "2026-03-29 02:30 +01:00"]),
        Case(
            "0 0 * * *", "America/Sao_Paulo", after: "2018-11-03T12:00:00Z",
            ["2018-11-04 01:00 -02:00", "2018-11-05 00:00 -02:00"]),
    ]

    @Test(arguments: gaps) func `a time skipped by a clock change fires later by the gap, once`(gap: Case) throws {
        try check(gap)
    }

    static let overlaps = [
        Case(
            "30 2 * * *", "Europe/Berlin", after: "2026-10-24T12:00:00Z",
            ["2026-10-25 02:30 +02:00", "2026-10-26 02:30 +01:00"]),
        Case(
            "0,30 1 * * *", "America/New_York", after: "2026-11-01T00:00:00Z",
            ["2026-11-01 01:00 -04:00", "2026-11-01 01:30 -04:00", "2026-11-02 01:00 -05:00"]),
        Case(
            "45 1 * * *", "Australia/Lord_Howe", after: "2026-04-04T12:00:00Z",
            ["2026-04-05 01:45 +11:00", "2026-04-06 01:45 +10:30"]),
        Case(
            "30 2 * * *", "Africa/Casablanca", after: "2026-02-14T12:00:00Z",
            ["2026-02-15 02:30 +01:00", "2026-02-16 02:30 +00:00"]),
        Case("30 2 * * *", "Europe/Berlin", after: "2026-10-25T00:45:00Z", ["2026-10-26 02:30 +01:00"]),
    ]

    @Test(arguments: overlaps)
    func `a time repeated by a clock change fires the first time only`(overlap: Case) throws {
        try check(overlap)
    }

    static let paced = [
        Case(
            "*/15 * * * *", "Europe/Berlin", after: "2026-10-25T00:31:00Z",
            [
                "2026-10-25 02:45 +02:00", "2026-10-25 02:00 +01:00", "2026-10-25 02:15 +01:00",
                "2026-10-25 02:30 +01:00",
            ]),
        Case(
            "*/15 * * * *", "Europe/Berlin", after: "2026-03-29T00:31:00Z",
            ["2026-03-29 01:45 +01:00", "2026-03-29 03:00 +02:00", "2026-03-29 03:15 +02:00"]),
        Case(
            "0 * * * *", "Australia/Lord_Howe", after: "2026-04-04T13:59:00Z",
            ["2026-04-05 01:00 +11:00", "2026-04-05 02:00 +10:30", "2026-04-05 03:00 +10:30"]),
        Case(
            "@hourly", "America/New_York", after: "2026-11-01T04:30:00Z",
            ["2026-11-01 01:00 -04:00", "2026-11-01 01:00 -05:00", "2026-11-01 02:00 -05:00"]),
    ]

    @Test(arguments: paced)
    func `a rule for every hour or minute keeps its pace across clock changes`(paced: Case) throws {
        try check(paced)
    }

    /// Ways of writing one expression, each with the zone and day of a change.
    static let spellings: [(String, String, String, String)] = [
        ("*/30 2 * * *", "0,30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z"),
        ("*/30 2 * * *", "0-59/30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z"),
        ("* 2 * * *", "0-59 2 * * *", "America/New_York", "2026-03-07T12:00:00Z"),
        ("15 */2 * * *", "15 0,2,4,6,8,10,12,14,16,18,20,22 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z"),
        ("15 */2 * * *", "15 0-23/2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z"),
        ("@hourly", "0 0-23 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z"),
        ("*/15 * * * *", "0,15,30,45 0-11,12-23 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00Z"),
        ("*/20 0 * * *", "0,20,40 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z"),
        ("*/20 23 * * *", "0,20,40 23 * * *", "America/Sao_Paulo", "2018-02-17T12:00:00Z"),
    ]

    @Test(arguments: spellings)
    func `equivalent cron expressions fire at the same instants through a clock change`(
        one: String, other: String, name: String, start: String
    ) throws {
        let zone = try #require(ZoneOffsets(named: name))
        let crons = try [one, other].map { ZonedCron(expression: try CronExpression(parsing: $0), zone: zone) }
        var instant = try Instant(start)
        for _ in 0..<200 {
            let next = crons.map { $0.next(after: instant) }
            #expect(next[0] == next[1])
            instant = try #require(next[0])
        }
    }

    static let hours = [
        Case(
            "*/30 2 * * *", "Europe/Berlin", after: "2026-03-28T12:00:00Z",
            ["2026-03-29 03:00 +02:00", "2026-03-29 03:30 +02:00", "2026-03-30 02:00 +02:00"]),
        Case(
            "*/30 2 * * *", "Europe/Berlin", after: "2026-10-24T12:00:00Z",
            ["2026-10-25 02:00 +02:00", "2026-10-25 02:30 +02:00", "2026-10-26 02:00 +01:00"]),
        Case(
            "0 */2 * * *", "Europe/Berlin", after: "2026-03-28T23:30:00Z",
            ["2026-03-29 03:00 +02:00", "2026-03-29 04:00 +02:00", "2026-03-29 06:00 +02:00"]),
    ]

    @Test(arguments: hours) func `a rule of certain hours shifts across a clock change, with or without an asterisk`(
        hour: Case
    ) throws {
        try check(hour)
    }

    static let places = [
        Case(
            "0 9 * * *", "Pacific/Apia", after: "2011-12-29T00:00:00Z",
            ["2011-12-29 09:00 -10:00", "2011-12-31 09:00 +14:00", "2012-01-01 09:00 +14:00"]),
        Case("0 9 30 12 *", "Pacific/Apia", after: "2011-12-01T00:00:00Z", ["2011-12-31 09:00 +14:00"]),
        Case(
            "0 9 * * MON-FRI", "Asia/Kathmandu", after: "2026-06-05T12:00:00Z",
            ["2026-06-08 09:00 +05:45", "2026-06-09 09:00 +05:45"]),
        Case("5 0 1 1 *", "Asia/Kathmandu", after: "1985-06-01T00:00:00Z", ["1986-01-01 00:20 +05:45"]),
        Case("30 9 L * *", "Pacific/Chatham", after: "2026-02-01T00:00:00Z", ["2026-02-28 09:30 +13:45"]),
    ]

    @Test(arguments: places) func `cron handles a skipped day and offsets of 45 minutes`(place: Case) throws {
        try check(place)
    }

    @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "America/Havana"])
    func `forty years of cron instants ascend, and each is found from between its neighbours`(name: String) throws {
        let zone = try #require(ZoneOffsets(named: name))
        for text in ["0,30 0-3 * * *", "*/20 0-3 * * SUN", "59 23 L * *"] {
            let cron = ZonedCron(expression: try CronExpression(parsing: text), zone: zone)
            var instant = try Instant("2000-01-01T00:00:00Z")
            let end = try Instant("2040-01-01T00:00:00Z")
            while let next = cron.next(after: instant), next < end {
                #expect(next > instant)
                let halfway = Instant(nanoseconds: instant.nanoseconds / 2 + next.nanoseconds / 2)
                #expect(cron.next(after: halfway) == next)
                instant = next
            }
        }
    }
}
