// The compact form of records: a version, then members, each a key and a value that tells what it is.

import Base
import Labels
import Tween

/// What a value of a record is: its first byte. The numbers stand in stores.
enum RecordTag {
    static let null: UInt8 = 0x00
    static let no: UInt8 = 0x01
    static let yes: UInt8 = 0x02
    /// Eight bytes, the bits of a double.
    static let double: UInt8 = 0x03
    /// A number that is whole.
    static let whole: UInt8 = 0x04
    /// A number, as so many thousandths.
    static let thousandths: UInt8 = 0x05
    static let integer: UInt8 = 0x06
    /// Nanoseconds since the instant before it in the record; the first since 1970.
    static let instant: UInt8 = 0x07
    /// Bytes of UTF-8 behind their count.
    static let text: UInt8 = 0x08
    /// JSON behind the count of its bytes.
    static let json: UInt8 = 0x09
    /// Values, then the end.
    static let list: UInt8 = 0x0A
    /// Keys and values, then the key that ends them.
    static let object: UInt8 = 0x0B
    static let end: UInt8 = 0x0F
    /// Numbers of 0...15 are in their tags.
    static let digits: ClosedRange<UInt8> = 0x10...0x1F
    /// A decimal's coefficient; its scale is in its tag.
    static let exact: ClosedRange<UInt8> = 0x20...0x46
    /// Texts of up to 127 bytes have their counts in their tags.
    static let shortText: ClosedRange<UInt8> = 0x80...0xFF
}

/// Writes a record in the compact form.
struct RecordWriter: FieldWriter {
    /// What a record of this form begins with. 1 was that of builds before 1.0.0.
    static let version: UInt8 = 2

    private var writer: ByteWriter
    /// Nanoseconds of the instant that was written last: those of a record lie close together.
    private var lastInstant: Int64 = 0

    /// A record with its members.
    static func bytes(_ members: (inout RecordWriter) -> Void) -> [UInt8] {
        var writer = RecordWriter()
        members(&writer)
        writer.writer.byte(RecordKey.end)
        return writer.writer.bytes
    }

    private init() {
        writer = ByteWriter(capacity: 256)
        writer.byte(Self.version)
    }

    mutating func member(_ name: String, _ value: String) {
        key(name)
        let count = value.utf8.count
        guard count < RecordTag.shortText.count else {
            writer.byte(RecordTag.text)
            writer.text(value)
            return
        }
        writer.byte(RecordTag.shortText.lowerBound | UInt8(truncatingIfNeeded: count))
        writer.append(value)
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        writer.byte(value ? RecordTag.yes : RecordTag.no)
    }

    mutating func member(_ name: String, _ value: Int) {
        key(name)
        whole(Int64(value))
    }

    mutating func member(_ name: String, _ value: Double) {
        key(name)
        number(value)
    }

    mutating func member(_ name: String, exact value: ExactDecimal) {
        key(name)
        exact(value)
    }

    mutating func member(_ name: String, integer value: Int64) {
        key(name)
        writer.byte(RecordTag.integer)
        writer.number(value)
    }

    mutating func member(_ name: String, at instant: Instant) {
        key(name)
        writer.byte(RecordTag.instant)
        writer.number(instant.nanoseconds &- lastInstant)
        lastInstant = instant.nanoseconds
    }

    mutating func member(_ name: String, raw json: some Sequence<UInt8>) {
        key(name)
        writer.byte(RecordTag.json)
        writer.data(Array(json))
    }

    mutating func member(_ name: String, _ members: (inout RecordWriter) -> Void) {
        key(name)
        object(members)
    }

    mutating func list(_ name: String, _ elements: (inout RecordWriter) -> Void) {
        key(name)
        writer.byte(RecordTag.list)
        elements(&self)
        writer.byte(RecordTag.end)
    }

    mutating func object(_ members: (inout RecordWriter) -> Void) {
        writer.byte(RecordTag.object)
        members(&self)
        writer.byte(RecordKey.end)
    }

    mutating func number(_ value: Double) {
        guard value.isFinite else { return writer.byte(RecordTag.null) }
        // Most are short decimals. What reads back is the very same, its sign included.
        let thousandths = Int64(exactly: value * 1_000) ?? 0
        guard thousandths.magnitude < 1 << 53, (Double(thousandths) / 1_000).bitPattern == value.bitPattern else {
            writer.byte(RecordTag.double)
            writer.double(value)
            return
        }
        let (units, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        guard rest != 0 else { return whole(units) }
        writer.byte(RecordTag.thousandths)
        writer.number(thousandths)
    }

    mutating func exact(_ value: ExactDecimal) {
        guard let coefficient = Int64(exactly: value.coefficient) else {
            // Longer than what is read at once; it is as rare as numbers of that size.
            let text = value.description
            writer.byte(RecordTag.text)
            writer.text(text)
            return
        }
        writer.byte(RecordTag.exact.lowerBound + UInt8(truncatingIfNeeded: value.scale))
        writer.number(coefficient)
    }

    private mutating func whole(_ value: Int64) {
        guard 0...15 ~= value else {
            writer.byte(RecordTag.whole)
            writer.number(value)
            return
        }
        writer.byte(RecordTag.digits.lowerBound | UInt8(truncatingIfNeeded: value))
    }

    private mutating func key(_ name: String) {
        guard let key = RecordKey.key(of: name) else {
            writer.byte(RecordKey.spelled)
            writer.text(name)
            return
        }
        writer.byte(key)
    }
}
