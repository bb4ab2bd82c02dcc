// Values as bytes: each comes back as it was, and bytes that nobody wrote so are damage, not a trap.

import TestSupport
import Testing

@testable import Base

@Suite struct ByteWriterTests {
    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, UInt64(Int64.max), .max])
    func `an unsigned number reads back from at most ten bytes`(value: UInt64) throws {
        var writer = ByteWriter()
        writer.number(value)
        var reader = ByteReader(writer.bytes)
        #expect(try reader.unsigned() == value)
        #expect(reader.isAtEnd && writer.bytes.count <= 10)
    }

    @Test(arguments: [0, -1, 1, 63, -64, 64, 1_700_000_000_000_000_000, Int64.min, .max])
    func `a signed number reads back`(value: Int64) throws {
        var writer = ByteWriter()
        writer.number(value)
        var reader = ByteReader(writer.bytes)
        #expect(try reader.signed() == value)
        if (-64..<64).contains(value) { #expect(writer.bytes.count == 1) }
    }

    @Test(arguments: [0, -0.0, 1.5, .infinity, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, .nan])
    func `a double reads back bit by bit`(value: Double) throws {
        var writer = ByteWriter()
        writer.double(value)
        var reader = ByteReader(writer.bytes)
        #expect(try reader.double().bitPattern == value.bitPattern)
    }

    @Test func `values of all types read back in their order`() throws {
        var writer = ByteWriter()
        writer.text("café ⏱")
        writer.data([0, 255])
        writer.flag(true)
        writer.optional(nil as Int?) { $0.count($1) }
        writer.optional(7) { $0.count($1) }
        writer.list(["a", ""]) { $0.text($1) }
        var reader = ByteReader(writer.bytes)
        #expect(try reader.text() == "café ⏱")
        #expect(try reader.data() == [0, 255])
        #expect(try reader.flag())
        let (none, seven) = (try reader.optional(count), try reader.optional(count))
        #expect(none == nil && seven == 7)
        #expect(try reader.list(text) == ["a", ""])
        #expect(reader.isAtEnd)
    }

    private func count(_ reader: inout ByteReader) throws(ByteReader.Damage) -> Int { try reader.count() }
    private func text(_ reader: inout ByteReader) throws(ByteReader.Damage) -> String { try reader.text() }

    @Test(arguments: [
        [], [0x80], [5, 1, 2], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
        [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [2, 0xC3, 0x28],
    ])
    func `truncated, overlong or non-UTF-8 text is reported as damage`(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        #expect(throws: ByteReader.Damage.self) { try reader.text() }
    }

    @Test func `random bytes are read or refused without a trap`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2_000 {
            var reader = ByteReader((0..<random.int(0...20)).map { _ in UInt8(random.int(0...255)) })
            _ = try? reader.list { (reader) throws(ByteReader.Damage) in try reader.text() }
        }
    }
}
