// Numbers as JSON has them, by appending bytes.

import Labels

/// Writes numbers.
package enum NumberText {
    /// Appends the shortest decimal that reads back as the same double; whole numbers without a point. A value that
    /// JSON has no number for (infinite, NaN) becomes null. Asks for no memory where numbers are of usual size.
    package static func append(_ value: Double, to bytes: inout [UInt8]) {
        if let digits = DecimalDigits(value) {
            bytes.append(room: DecimalDigits.room) { out, start in digits.put(into: &out, at: start) }
        } else {
            bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
        }
    }

    /// Appends an integer.
    package static func append(_ value: Int64, to bytes: inout [UInt8]) {
        bytes.append(room: room) { out, start in put(value, into: &out, at: start) }
    }

    /// Appends an integer that is not negative.
    package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        bytes.append(room: room) { out, start in out.put(whole: value, at: start) }
    }

    /// The most bytes that `put` touches: a sign, 19 digits, and what the last word carries too much.
    static let room = 32

    /// Puts an integer into room of at least `room` bytes.
    /// - Returns: Where it ends.
    static func put(_ value: Int64, into out: inout MutableRawSpan, at start: Int) -> Int {
        let place = value < 0 ? out.put(UInt64(UInt8(ascii: "-")), count: 1, at: start) : start
        return out.put(whole: value.magnitude, at: place)
    }
}
