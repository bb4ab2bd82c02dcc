// Heads that the library doesn't write: for streams, whose sockets leave it before a byte is sent, and for answers that may
// not fit into a connection's memory.

import Base

/// Writes status lines and headers.
enum ResponseHead {
    /// Returns the head of an answer after which the connection closes.
    /// - Parameters:
    ///   - reason: The status' reason phrase.
    ///   - headers: One that contains a control character is left out.
    ///   - time: Unix seconds.
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

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Appends the fixed-length date of RFC 9110, 5.6.7.
    private static func append(_ time: Int, to bytes: inout [UInt8]) {
        let second = max(0, time)
        let day = second / 86_400
        let date = CivilDate(dayNumber: day)
        bytes.append(contentsOf: weekdays[CivilDate.weekday(ofDay: day)].utf8)
        bytes.append(contentsOf: ", ".utf8)
        appendTwoDigits(date.day, to: &bytes)
        bytes.append(32)
        bytes.append(contentsOf: months[date.month - 1].utf8)
        bytes.append(32)
        appendTwoDigits(date.year / 100, to: &bytes)
        appendTwoDigits(date.year, to: &bytes)
        bytes.append(32)
        appendTwoDigits(second / 3_600 % 24, to: &bytes)
        bytes.append(58)
        appendTwoDigits(second / 60 % 60, to: &bytes)
        bytes.append(58)
        appendTwoDigits(second % 60, to: &bytes)
        bytes.append(contentsOf: " GMT".utf8)
    }

    /// Appends the last two digits of a number.
    private static func appendTwoDigits(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: 48 + number / 10 % 10))
        bytes.append(UInt8(truncatingIfNeeded: 48 + number % 10))
    }
}
