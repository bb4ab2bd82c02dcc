// The compact form of records: a version, then members, each a key and a tagged value.

import Base
import Labels
import Tween

/// The first byte of a value in a record. The numbers are in stores.
enum RecordTag {
    static let null: UInt8 = 0x00
    static let no: UInt8 = 0x01
    static let yes: UInt8 = 0x02
    /// Eight bytes, the bits of a double.
    static let double: UInt8 = 0x03
    /// An integral number.
    static let whole: UInt8 = 0x04
    /// A number in thousandths.
    static let thousandths: UInt8 = 0x05
    static let integer: UInt8 = 0x06
    /// Nanoseconds since the previous instant in the record; the first counts from 1970.
    static let instant: UInt8 = 0x07
    /// Bytes of UTF-8 after their count.
    static let text: UInt8 = 0x08
    /// JSON after its count of bytes.
    static let json: UInt8 = 0x09
    /// Values, then `end`.
    static let list: UInt8 = 0x0A
    /// Keys and values, then `RecordKey.end`.
    static let object: UInt8 = 0x0B
    static let end: UInt8 = 0x0F
    /// Integers 0...15 are in their tags.
    static let digits: ClosedRange<UInt8> = 0x10...0x1F
    /// A decimal's coefficient; its scale is in its tag.
    static let exact: ClosedRange<UInt8> = 0x20...0x46
    /// The count of a text of up to 127 bytes is in its tag.
    static let shortText: ClosedRange<UInt8> = 0x80...0xFF
}

/// Writes a record in the compact form.
struct RecordWriter: FieldWriter {
    /// The first byte of a record in this format.
    static let version: UInt8 = 3
    /// Records of this format differ in the names of `StoredTemplates`. No program reads 1.
    static let versionOfOldTemplates: UInt8 = 2

    private var writer: ByteWriter
    /// The nanoseconds of the last instant: those of a record are close together.
    private var lastInstant: Int64 = 0

    /// Returns a record with its members.
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
        // Most numbers are short decimals. The result must read back exactly, including the sign.
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
            // Too large for the compact form; rare.
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
