// A compact, exact binary format for data that only this program reads. The bytes are the same in every process.

/// Appends values to bytes. Whole numbers are as short as possible (LEB128), doubles are their bits.
package struct ByteWriter: Sendable {
    @usableFromInline var buffer: [UInt8] = []

    package var bytes: [UInt8] { buffer }

    /// - Parameter capacity: Bytes to reserve.
    package init(capacity: Int = 0) { buffer.reserveCapacity(capacity) }

    /// Starts over and keeps the capacity.
    package mutating func removeAll() { buffer.removeAll(keepingCapacity: true) }

    @inlinable @inline(__always)
    package mutating func byte(_ value: UInt8) { buffer.append(value) }

    @inlinable
    package mutating func flag(_ value: Bool) { buffer.append(value ? 1 : 0) }

    @inlinable
    package mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a signed number; small magnitudes are short (zigzag).
    @inlinable
    package mutating func number(_ value: Int64) {
        number(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Appends a count or an index.
    @inlinable
    package mutating func count(_ value: Int) { number(UInt64(clamping: value)) }

    @inlinable
    package mutating func double(_ value: Double) {
        let bits = value.bitPattern
        for shift in stride(from: UInt64(0), to: 64, by: 8) { buffer.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }

    /// Appends a count and that many bytes.
    package mutating func data(_ value: [UInt8]) {
        count(value.count)
        buffer.append(contentsOf: value)
    }

    package mutating func text(_ value: String) {
        count(value.utf8.count)
        append(value)
    }

    /// Appends text without its length.
    package mutating func append(_ value: String) { buffer.append(contentsOf: value.utf8) }

    /// Appends an optional value.
    package mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    /// Appends a count and that many values.
    package mutating func list<Value>(_ values: some Collection<Value>, _ write: (inout ByteWriter, Value) -> Void) {
        count(values.count)
        for value in values { write(&self, value) }
    }
}

/// Reads what `ByteWriter` wrote.
package struct ByteReader: Sendable {
    /// The bytes are not in this format.
    package struct Damage: Error, Hashable, Sendable {
        package init() {}
    }

    package let bytes: [UInt8]
    /// The number of bytes read.
    package private(set) var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    /// The next byte, without reading it; nil at the end.
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The unread bytes.
    package var rest: [UInt8] { Array(bytes.dropFirst(position)) }

    package mutating func byte() throws(Damage) -> UInt8 {
        guard position < bytes.count else { throw Damage() }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func flag() throws(Damage) -> Bool {
        let value = try byte()
        guard value <= 1 else { throw Damage() }
        return value == 1
    }

    package mutating func unsigned() throws(Damage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let next = try byte()
            guard shift < 63 || next <= 1 else { throw Damage() }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
        }
        throw Damage()
    }

    package mutating func signed() throws(Damage) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads a count or an index.
    package mutating func count() throws(Damage) -> Int {
        guard let value = Int(exactly: try unsigned()) else { throw Damage() }
        return value
    }

    package mutating func double() throws(Damage) -> Double {
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try byte()) << shift }
        return Double(bitPattern: bits)
    }

    package mutating func data() throws(Damage) -> [UInt8] {
        let count = try count()
        return Array(bytes[try range(count)])
    }

    /// Skips bytes and returns their range.
    package mutating func range(_ count: Int) throws(Damage) -> Range<Int> {
        guard 0...(bytes.count - position) ~= count else { throw Damage() }
        defer { position += count }
        // proven: this many are left.
        return position..<(position + count)
    }

    package mutating func text() throws(Damage) -> String {
        guard let text = String(validating: try data(), as: UTF8.self) else { throw Damage() }
        return text
    }

    package mutating func optional<Value>(
        _ read: (inout ByteReader) throws(Damage) -> Value
    ) throws(Damage) -> Value? {
        try flag() ? try read(&self) : nil
    }

    package mutating func list<Value>(
        _ read: (inout ByteReader) throws(Damage) -> Value
    ) throws(Damage) -> [Value] {
        let count = try count()
        var values: [Value] = []
        // Each value takes at least one byte, so a damaged count reserves at most one value for each byte that is left.
        values.reserveCapacity(min(count, bytes.count - position))
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }
}
