// Dates: those that exist are read and written, all others are refused.

import Base
import Board
import RecurrenceRules
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct TimestampTests {
    @Test(arguments: [
        "2026-11-20T21:00:00.000Z", "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2024-02-29T12:34:56.789Z",
        "2100-03-01T00:00:00.000Z", "1900-02-28T23:59:59.001Z", "1678-01-01T00:00:00.000Z", "2261-12-31T23:59:59.999Z",
    ])
    func `a date in UTC reads back as it was written`(text: String) throws {
        let instant = try #require(Timestamp.instant(text))
        #expect(Timestamp.text(instant) == text)
    }

    @Test(arguments: [
        ("2027-06-30t12:00:00z", "2027-06-30T12:00:00.000Z"), ("2027-06-30T12:00:00-00:00", "2027-06-30T12:00:00.000Z"),
        ("2027-06-30T00:30:00+23:59", "2027-06-29T00:31:00.000Z"),
        ("2027-12-31T23:00:00-01:30", "2028-01-01T00:30:00.000Z"),
        ("2027-06-30T12:00:00.5Z", "2027-06-30T12:00:00.500Z"),
        ("1969-12-31T23:59:59.25Z", "1969-12-31T23:59:59.250Z"),
        // A leap second counts as the one after it, wherever its midnight in UTC falls.
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"), ("2015-06-30T23:59:60.5Z", "2015-07-01T00:00:00.500Z"),
        ("2015-07-01T01:59:60+02:00", "2015-07-01T00:00:00.000Z"),
    ])
    func `every form of RFC 3339 is read`(text: String, expected: String) throws {
        #expect(Timestamp.text(try #require(Timestamp.instant(text))) == expected)
    }

    @Test func `a date is exact to the nanosecond, and digits beyond are left out`() throws {
        let instant = try #require(Timestamp.instant("1970-01-01T00:00:01.1234567899999Z"))
        #expect(instant.nanoseconds == 1_123_456_789)
    }

    static let impossible = [
        "2027-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2027-04-31T00:00:00Z",
        "2027-00-10T00:00:00Z", "2027-13-10T00:00:00Z", "2027-01-00T00:00:00Z", "2027-01-32T00:00:00Z",
        "2027-06-30T25:00:00Z", "2027-06-30T24:00:00Z", "2027-06-30T23:60:00Z", "2027-06-30T23:59:61Z",
        "2027-06-29T23:59:60Z", "2027-03-31T23:59:60Z", "2027-06-30T23:59:60+02:00", "2027-06-30T12:00:60Z",
        "2027-6-3T1:00:00Z", "27-06-03T01:00:00Z", "12027-06-03T01:00:00Z", "2027-06-30T12:00:00",
        "2027-06-30T12:00:00+25:00", "2027-06-30T12:00:00+24:00", "2027-06-30T12:00:00+10:60",
        "2027-06-30T12:00:00+10:99", "2027-06-30T12:00:00+1000", "2027-06-30T12:00:00+10", "2027-06-30T12:00Z",
        "2027-06-30 12:00:00Z", "2027-06-30T12:00:00.Z", "2027-06-30T12:00:00,5Z", "20270630T120000Z",
        "2027-06-30", " 2027-06-30T12:00:00Z", "2027-06-30T12:00:00Z ", "2027-06-30T12:00:00ZZ",
        "2027-06-30T12:00:00\u{FF3A}", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z", "",
    ]

    @Test(arguments: impossible, ["at", "until"])
    func `a date that doesn't exist is refused with a pointer to its field`(text: String, field: String) {
        let first = field == "at" ? "" : #""every":60,"#
        let problem = #expect(throws: Problem.self) {
            try ScheduleDecoder.definition(
                Array(#"{\#(first)"\#(field)":"\#(text)","do":[]}"#.utf8), rules: NoCalendar())
        }
        #expect(problem?.status == 422 && problem?.pointer == "/\(field)")
    }
}
