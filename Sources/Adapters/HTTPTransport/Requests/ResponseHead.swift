// Heads that the library doesn't write: for streams, whose sockets leave it before a byte is sent, and for answers that may
// not fit into a connection's memory.

import Base

/// A status line and headers, as they are written.
struct ResponseHead {
    private var bytes: [UInt8] = []

    /// Begins the head of an answer after which the connection closes.
    /// - Parameters:
    ///   - reason: The status' reason phrase.
    ///   - time: Unix seconds.
    init(status: Int, reason: String, at time: Int) {
        bytes.reserveCapacity(512)
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        bytes.append(contentsOf: status.description.utf8)
        bytes.append(32)
        bytes.append(contentsOf: reason.utf8)
        bytes.append(contentsOf: "\r\nConnection: close\r\nDate: ".utf8)
        Self.append(time, to: &bytes)
    }

    /// Adds a header, unless its name is empty or contains a space, or either contains a byte below 32.
    mutating func append(_ name: String, _ value: String) {
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 32 }), value.utf8.allSatisfy({ $0 >= 32 }) else { return }
        bytes.append(13)
        bytes.append(10)
        bytes.append(contentsOf: name.utf8)
        bytes.append(58)
        bytes.append(32)
        bytes.append(contentsOf: value.utf8)
    }

    /// Ends the head.
    /// - Returns: Its bytes.
    consuming func end() -> [UInt8] {
        bytes.append(contentsOf: [13, 10, 13, 10])
        return bytes
    }

    /// Returns a whole head.
    /// - Parameter headers: One that contains a control character is left out.
    static func bytes(status: Int, reason: String, _ headers: [(String, String)], at time: Int) -> [UInt8] {
        var head = ResponseHead(status: status, reason: reason, at: time)
        for (name, value) in headers { head.append(name, value) }
        return head.end()
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
