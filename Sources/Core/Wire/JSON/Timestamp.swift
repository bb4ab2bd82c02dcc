// RFC 3339 dates to instants and back.

import Base
import Labels
package import Tween

/// Parses and writes dates.
package enum Timestamp {
    /// Parses an existing date and time of RFC 3339 (5.6); nil for anything else, and outside of the range of 64-bit
    /// nanoseconds, which includes the years 1678 to 2261.
    ///
    /// Digits after the nanoseconds are ignored. A leap second (5.7) counts as the second after it, since Unix time has
    /// none; it is accepted where UTC may have one, at the end of June or December. Whether a year has one is not checked,
    /// since future ones are only announced half a year before.
    package static func instant(_ text: String) -> Instant? {
        var reader = DigitReader(text)
        guard let date = date(&reader), reader.consume("T"), let minutes = minutes(&reader), reader.consume(":"),
            let second = reader.number(2), let fraction = reader.fraction(), let offset = offset(&reader),
            reader.isAtEnd, second <= 60
        else { return nil }
        let seconds = date.dayNumber * 86_400 + minutes * 60 + second - offset
        guard second < 60 || endsHalfYear(before: seconds), years ~= date.year else { return nil }
        return Instant(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(fraction))
    }

    /// The years of the range of 64-bit nanoseconds.
    private static let years = 1678...2261

    /// A date and time on the clocks of a place, without an offset.
    package struct WallTime: Hashable, Sendable {
        /// Seconds since 1970-01-01T00:00:00 on those clocks.
        package var seconds: Int
        package var nanoseconds: Int
    }

    /// Parses a date, which stands for its midnight, or a date and time of ISO 8601 without an offset, with or without
    /// seconds; nil for anything else, and outside of the years of `instant`.
    package static func wallTime(_ text: String) -> WallTime? {
        var reader = DigitReader(text)
        guard let date = date(&reader), years ~= date.year else { return nil }
        var time = WallTime(seconds: date.dayNumber * 86_400, nanoseconds: 0)
        guard !reader.isAtEnd else { return time }
        guard reader.consume("T"), let minutes = minutes(&reader) else { return nil }
        time.seconds += minutes * 60
        guard !reader.isAtEnd else { return time }
        guard reader.consume(":"), let second = reader.number(2), second < 60, let fraction = reader.fraction(),
            reader.isAtEnd
        else { return nil }
        time.seconds += second
        time.nanoseconds = fraction
        return time
    }

    private static func date(_ reader: inout DigitReader) -> CivilDate? {
        guard let year = reader.number(4), reader.consume("-"), let month = reader.number(2), reader.consume("-"),
            let day = reader.number(2), 1...12 ~= month, 1...CivilDate.length(ofMonth: month, year: year) ~= day
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Returns the minutes since midnight of hours and minutes.
    private static func minutes(_ reader: inout DigitReader) -> Int? {
        guard let hour = reader.number(2), reader.consume(":"), let minute = reader.number(2), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Returns seconds east of UTC.
    private static func offset(_ reader: inout DigitReader) -> Int? {
        if reader.consume("Z") { return 0 }
        let isWest = reader.consume("-")
        guard isWest || reader.consume("+"), let hours = reader.number(2), reader.consume(":"),
            let minutes = reader.number(2), hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    /// Whether a Unix time is the UTC midnight that ends a June or a December.
    private static func endsHalfYear(before seconds: Int) -> Bool {
        let days = seconds.dividedDown(by: 86_400)
        let date = CivilDate(dayNumber: days)
        return seconds == days * 86_400 && date.day == 1 && (date.month == 1 || date.month == 7)
    }

    /// Returns an RFC 3339 date in UTC with milliseconds.
    package static func text(_ instant: Instant) -> String {
        var bytes: [UInt8] = []
        append(instant, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends an RFC 3339 date in UTC with milliseconds.
    ///
    /// Without a formatter, which would take longer than the rest of an answer.
    static func append(_ instant: Instant, to bytes: inout [UInt8]) {
        let milliseconds = Int(instant.nanoseconds).dividedDown(by: 1_000_000)
        let days = milliseconds.dividedDown(by: 86_400_000)
        let rest = milliseconds - days * 86_400_000
        let date = CivilDate(dayNumber: days)
        bytes.append(room: room) { out, start in
            var place = put(date.year, digits: 4, then: "-", into: &out, at: start)
            place = put(date.month, digits: 2, then: "-", into: &out, at: place)
            place = put(date.day, digits: 2, then: "T", into: &out, at: place)
            place = put(rest / 3_600_000, digits: 2, then: ":", into: &out, at: place)
            place = put(rest / 60_000 % 60, digits: 2, then: ":", into: &out, at: place)
            place = put(rest / 1_000 % 60, digits: 2, then: ".", into: &out, at: place)
            return put(rest % 1_000, digits: 3, then: "Z", into: &out, at: place)
        }
    }

    /// The 24 bytes of a date, and the overrun of the last word.
    private static let room = 24 + MutableRawSpan.overrun

    @inline(__always)
    private static func put(
        _ value: Int, digits: Int, then mark: Unicode.Scalar, into out: inout MutableRawSpan, at place: Int
    ) -> Int {
        let end = out.put(digits: UInt64(truncatingIfNeeded: value), count: digits, at: place)
        return out.put(UInt64(UInt8(ascii: mark)), count: 1, at: end)
    }
}

/// Reads the digits and separators of a date.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes a separator; letters in either case, as in RFC 3339.
    mutating func consume(_ mark: Unicode.Scalar) -> Bool {
        let byte = UInt8(ascii: mark)
        guard let next = rest.first, next == byte || (0x41...0x5A ~= byte && next == byte | 0x20) else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Takes an optional point with digits, as nanoseconds.
    mutating func fraction() -> Int? {
        guard consume(".") else { return 0 }
        guard var value = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            guard count < 9 else { continue }
            value = value * 10 + digit
            count += 1
        }
        while count < 9 {
            value *= 10
            count += 1
        }
        return value
    }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }
}
