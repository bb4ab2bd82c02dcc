// Heads that the library doesn't write: that of a stream's answer, since the socket leaves it before a byte is sent, and
// that of an answer for which the connection's memory may not suffice.

/// Status line and headers of a stream: no length and no chunks, closed at its end, so that every stream gets the same
/// bytes (RFC 9112, 6.3).
enum ResponseHead {
    /// - Parameters:
    ///   - headers: One with a control character in it is left out.
    ///   - time: Unix seconds.
    static func bytes(_ headers: [(String, String)], at time: Int) -> [UInt8] {
        bytes(status: 200, reason: "OK", headers, at: time)
    }

    /// The head of an answer after which the connection closes.
    /// - Parameter reason: What the status is called.
    static func bytes(status: Int, reason: String, _ headers: [(String, String)], at time: Int) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(reason)\r\nConnection: close\r\nDate: ".utf8)
        bytes.reserveCapacity(512)
        append(time, to: &bytes)
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 32 }), value.utf8.allSatisfy({ $0 >= 32 }) else {
                continue
            }
            bytes.append(contentsOf: [13, 10])
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: [58, 32])
            bytes.append(contentsOf: value.utf8)
        }
        bytes.append(contentsOf: [13, 10, 13, 10])
        return bytes
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The fixed-length date of RFC 9110, 5.6.7; the calendar's arithmetic counts years from March, so that a leap day is
    /// a year's last, in eras of 400 years.
    private static func append(_ time: Int, to bytes: inout [UInt8]) {
        let second = max(0, time)
        let day = second / 86_400
        let fromMarch = day + 719_468
        let era = fromMarch / 146_097
        let dayOfEra = fromMarch % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = (monthFromMarch + 2) % 12
        let year = era * 400 + yearOfEra + (month < 2 ? 1 : 0)

        bytes.append(contentsOf: weekdays[day % 7].utf8)
        bytes.append(contentsOf: ", ".utf8)
        appendTwoDigits(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, to: &bytes)
        bytes.append(32)
        bytes.append(contentsOf: months[month].utf8)
        bytes.append(32)
        appendTwoDigits(year / 100, to: &bytes)
        appendTwoDigits(year, to: &bytes)
        bytes.append(32)
        appendTwoDigits(second / 3_600 % 24, to: &bytes)
        bytes.append(58)
        appendTwoDigits(second / 60 % 60, to: &bytes)
        bytes.append(58)
        appendTwoDigits(second % 60, to: &bytes)
        bytes.append(contentsOf: " GMT".utf8)
    }

    /// The last two digits of a number.
    private static func appendTwoDigits(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: 48 + number / 10 % 10))
        bytes.append(UInt8(truncatingIfNeeded: 48 + number % 10))
    }
}
