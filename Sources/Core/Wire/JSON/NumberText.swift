// Appends numbers as JSON.

import Labels

/// Writes numbers.
package enum NumberText {
    /// Appends the shortest decimal that reads back as the same double, without a point for integers. Infinity and NaN
    /// become null, because JSON has no such numbers. Does not allocate for usual numbers.
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

    /// Appends a non-negative integer.
    package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        bytes.append(room: room) { out, start in out.put(whole: value, at: start) }
    }

    /// The maximum bytes that `put` touches: a sign, 19 digits, and the overrun of the last word.
    static let room = 32

    /// Puts an integer into room of at least `room` bytes.
    /// - Returns: Where it ends.
    static func put(_ value: Int64, into out: inout MutableRawSpan, at start: Int) -> Int {
        let place = value < 0 ? out.put(UInt64(UInt8(ascii: "-")), count: 1, at: start) : start
        return out.put(whole: value.magnitude, at: place)
    }
}
