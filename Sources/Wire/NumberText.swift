// Numbers as JSON has them, by appending bytes. Frames use it, so it asks for no memory where numbers are of usual size.

import Labels

/// Writes numbers.
package enum NumberText {
    /// Appends the shortest decimal that reads back as the same double; whole numbers without a point. A value that
    /// JSON has no number for (infinite, NaN) becomes null.
    package static func append(_ value: Double, to bytes: inout [UInt8]) {
        var isWritten = false
        bytes.append(room: room) { out, start in
            let end = put(value, into: &out, at: start)
            isWritten = end != nil
            return end ?? start
        }
        if !isWritten { bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8) }
    }

    /// Appends an integer.
    package static func append(_ value: Int64, to bytes: inout [UInt8]) {
        bytes.append(room: room) { out, start in put(value, into: &out, at: start) }
    }

    /// The most bytes that `put` touches.
    package static let room = DecimalDigits.room + 1

    /// Puts a double as `append` appends it, into room of at least `room` bytes.
    /// - Returns: Where it ends; nil where that takes a string.
    package static func put(_ value: Double, into out: inout MutableRawSpan, at start: Int) -> Int? {
        // The conversion cuts off, in place of `rounded`, which would be a call into the C library.
        if value.magnitude < 0x1p53, Double(Int64(value)) == value { return put(Int64(value), into: &out, at: start) }
        guard let digits = DecimalDigits(shortest: value.magnitude) else { return nil }
        let place = value < 0 ? out.put(minus, count: 1, at: start) : start
        return digits.put(into: &out, at: place)
    }

    /// Puts an integer into room of at least `room` bytes.
    /// - Returns: Where it ends.
    package static func put(_ value: Int64, into out: inout MutableRawSpan, at start: Int) -> Int {
        let place = value < 0 ? out.put(minus, count: 1, at: start) : start
        return out.put(whole: value.magnitude, at: place)
    }

    private static let minus = UInt64(UInt8(ascii: "-"))
}
