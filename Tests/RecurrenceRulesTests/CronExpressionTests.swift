// Cron expressions: what is read, what is refused and how, which days they name.

import Testing
import Tween

@testable import RecurrenceRules

@Suite struct CronExpressionTests {
    private func dates(_ text: String, after start: String, count: Int) throws -> [String] {
        let cron = ZonedCron(expression: try CronExpression(parsing: text), zone: .utc)
        var instant = try Instant(start)
        return try (0..<count).map { _ in
            instant = try #require(cron.next(after: instant))
            return String(instant.text(in: .utc).dropLast(7))
        }
    }

    @Test(arguments: [
        ("0 9 * * MON-FRI", "0 9 * * 1-5"), ("0 0 * jan,FEB *", "0 0 * 1,2 *"), ("*/20 * * * *", "0,20,40 * * * *"),
        ("10/20 * * * *", "10,30,50 * * * *"), ("0 0 * * 7", "0 0 * * 0"), ("0 0 * * FRI-SUN", "0 0 * * 0,5,6"),
        ("0 0 * * 5-7", "0 0 * * 5,6,0"), ("0 0 ? * 1", "0 0 * * 1"), ("0 0 1 * ?", "0 0 1 * *"),
        ("@hourly", "0 * * * *"),
        ("@daily", "0 0 * * *"), ("@Midnight", "0 0 * * *"), ("  @daily ", "0 0 * * *"), ("\t@DAILY\t", "0 0 * * *"),
        ("  @Yearly", "0 0 1 1 *"), ("@annually  ", "0 0 1 1 *"), ("@weekly", "0 0 * * SUN"), ("@monthly", "0 0 1 * *"),
        ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 1 *"), (" 0\t0  1 1 * ", "0 0 1 1 *"),
        ("0 0 * * fril", "0 0 * * 5L"),
        ("1-10/4 0-23/12 * * *", "1,5,9 0,12 * * *"), ("0 0 * * 7L", "0 0 * * 0L"),
    ])
    func `equivalent cron expressions fire at the same minutes`(one: String, other: String) throws {
        #expect(try CronExpression(parsing: one).first(from: 29_000_000) != nil)
        var minute = 29_000_000
        let (left, right) = (try CronExpression(parsing: one), try CronExpression(parsing: other))
        for _ in 0..<500 {
            let next = left.first(from: minute)
            #expect(next == right.first(from: minute))
            minute = try #require(next) + 1
        }
    }

    @Test(arguments: [
        ("60 * * * *", "minute `60` is not between 0 and 59"),
        ("* 24 * * *", "hour `24` is not between 0 and 23"),
        ("* * 0 * *", "day-of-month `0` is not between 1 and 31"),
        ("* * * 13 *", "month `13` is not between 1 and 12"),
        ("* * * * 8", "day-of-week `8` is not between 0 and 7"),
        ("* * * FOO *", "month `FOO` is not a number from 1 to 12, nor a name such as FEB"),
        ("* * * * JAN", "day-of-week `JAN` is not a number from 0 to 7, nor a name such as MON"),
        ("1,,2 * * * *", "minute `1,,2` is empty between two commas"),
        ("*/0 * * * *", "minute `*/0` needs a whole number above 0 after the slash"),
        ("*/x * * * *", "minute `*/X` needs a whole number above 0 after the slash"),
        ("*/90 * * * *", "minute `*/90` has a step above 60; for every 90 minutes give the duration PT90M instead"),
        ("0,5/61 * * * *", "minute `5/61` has a step above 60; for every 61 minutes give the duration PT61M instead"),
        ("10-20/00090 * * * *", "for every 90 minutes give the duration PT90M instead"),
        ("*/525601 * * * *", "minute `*/525601` has a step above 60"),
        ("*/99999999999999999999 * * * *", "minute `*/99999999999999999999` has a step above 60"),
        ("0 */36 * * *", "hour `*/36` has a step above 24; for every 36 hours give the duration PT36H instead"),
        ("0 0 */45 * *", "day-of-month `*/45` has a step above 31; for every 45 days give the duration P45D instead"),
        ("0 0 1 */18 *", "month `*/18` has a step above 12; for every 18 months give the duration P18M instead"),
        ("0 0 * * 1/10", "day-of-week `1/10` has a step above 7; for every 10 days give the duration P10D instead"),
        ("5-1 * * * *", "minute `5-1` is a range that ends before it begins"),
        ("-5 * * * *", "minute `-5` is not a number from 0 to 59"), ("?  * * * *", "minute `?` is allowed in day"),
        ("99999999999999999999 * * * *", "minute `99999999999999999999` is not a number from 0 to 59"),
        ("٣ * * * *", "minute `٣` is not a number from 0 to 59"),
        ("L * * * *", "minute `L` is not a number from 0 to 59"),
        ("* * * * L", "day-of-week `L` needs a day of the week before it"),
        ("* * L-3 * *", "day-of-month `L-3` is not a number from 1 to 31"),
        ("0 0 30 2 *", "day-of-month `30` never comes in month `2`"),
        ("0 0 30-31 FEB ?", "day-of-month `30-31` never comes in month `FEB`"),
        ("0 0 31 4,6,9,11 *", "day-of-month `31` never comes in month `4,6,9,11`"),
        ("0 0 */10 JUN 3L", "day-of-month `*/10` never comes in month `JUN` together with day-of-week `3L`"),
        ("* * * *", "five fields, minute hour day-of-month month day-of-week, not 4"),
        ("0 0 0 * * *", "five fields, minute hour day-of-month month day-of-week, not 6"),
        ("@reboot", "unknown rule @reboot"), (" @REBOOT ", "unknown rule @reboot"), ("@", "unknown rule @"),
        ("@daily @daily", "has five fields"), ("@ daily", "has five fields"), ("@da\u{131}ly", "unknown rule @da"),
        ("0 0 * * \u{17F}un", "day-of-week"), ("tomorrow", "must be seconds, an ISO 8601 duration"),
        ("", "must be seconds"),
        (String(repeating: "1,", count: 600) + "1 * * * *", "at most 1000 bytes"),
    ])
    func `a malformed cron expression is refused with its field`(text: String, reason: String) {
        let error = #expect(throws: RuleError.self) { try CronExpression(parsing: text) }
        #expect(error?.reason.contains(reason) == true, "\(text): \(error?.reason ?? "")")
    }

    /// In each field the longest step that it has, and the longest that a duration can say.
    @Test(arguments: [
        ("*/60 * * * *", "*/61 * * * *", "PT61M"), ("*/60 * * * *", "*/525600 * * * *", "PT525600M"),
        ("0 */24 * * *", "0 */25 * * *", "PT25H"), ("0 */24 * * *", "0 */8760 * * *", "PT8760H"),
        ("0 0 */31 * *", "0 0 */32 * *", "P32D"), ("0 0 */31 * *", "0 0 */365 * *", "P365D"),
        ("0 0 1 */12 *", "0 0 1 */13 *", "P13M"), ("0 0 1 */12 *", "0 0 1 */1200 *", "P1200M"),
        ("0 0 * * */7", "0 0 * * */8", "P8D"),
    ])
    func `a step that is longer than its field is refused with a duration that is taken`(
        taken: String, refused: String, duration: String
    ) throws {
        let calendar = ZonedCalendar()
        _ = try calendar.repetition(taken, zone: nil)
        let error = #expect(throws: RecurrenceError.self) { try calendar.repetition(refused, zone: nil) }
        #expect(error?.field == "every" && error?.reason.contains("the duration \(duration) instead") == true)
        if case .interval(let seconds) = try calendar.repetition(duration, zone: nil) {
            #expect(Recurrence.intervals.contains(seconds))
        }
    }

    @Test func `a cron rule for 29 February fires every four years, and after eight years over 2100`() throws {
        #expect(
            try dates("0 0 29 2 *", after: "2026-01-01T00:00:00Z", count: 2) == [
                "2028-02-29 00:00", "2032-02-29 00:00",
            ])
        #expect(try dates("0 0 29 2 *", after: "2096-02-29T00:00:00Z", count: 1) == ["2104-02-29 00:00"])
        #expect(try dates("0 0 30 2,3 *", after: "2026-01-01T00:00:00Z", count: 1) == ["2026-03-30 00:00"])
    }

    @Test func `a cron rule for 29 February on a Sunday is found forty years ahead`() throws {
        // One field begins with an asterisk, so that both must match: a Sunday.
        #expect(try dates("0 0 29 2 */7", after: "2088-03-01T00:00:00Z", count: 1) == ["2128-02-29 00:00"])
    }

    @Test func `day of month and day of week combine as in Vixie cron`() throws {
        #expect(
            try dates("0 0 13 * FRI", after: "2026-02-05T00:00:00Z", count: 4)
                == ["2026-02-06 00:00", "2026-02-13 00:00", "2026-02-20 00:00", "2026-02-27 00:00"])
        // `*/2` restricts nothing: both must match.
        #expect(
            try dates("0 0 */2 * MON", after: "2026-02-01T00:00:00Z", count: 2)
                == ["2026-02-09 00:00", "2026-02-23 00:00"])
        #expect(try dates("0 0 30 2 MON", after: "2026-01-31T00:00:00Z", count: 1) == ["2026-02-02 00:00"])
    }

    @Test func `L is the last day of the month and 5L its last Friday`() throws {
        #expect(
            try dates("0 0 L * *", after: "2028-01-01T00:00:00Z", count: 4)
                == ["2028-01-31 00:00", "2028-02-29 00:00", "2028-03-31 00:00", "2028-04-30 00:00"])
        #expect(
            try dates("0 0 1,L 2 *", after: "2026-01-01T00:00:00Z", count: 2) == [
                "2026-02-01 00:00", "2026-02-28 00:00",
            ])
        #expect(
            try dates("0 17 * * 5L", after: "2026-01-01T00:00:00Z", count: 3)
                == ["2026-01-30 17:00", "2026-02-27 17:00", "2026-03-27 17:00"])
    }

    @Test func `cron finds no instant after the last one, and its first after the earliest`() throws {
        let cron = ZonedCron(expression: try CronExpression(parsing: "0 0 1 1 *"), zone: .utc)
        #expect(cron.next(after: Instant(nanoseconds: .max)) == nil)
        #expect(cron.next(after: Instant(nanoseconds: .min))?.text(in: .utc) == "1678-01-01 00:00 +00:00")
    }
}
