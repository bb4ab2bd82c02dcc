// An input, taken apart: a few bytes that choose, then what is read.

/// Takes choices from the front of an input; the rest is its text.
struct FuzzInput {
    private var left: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { left = bytes[...] }

    /// The next byte; 0 behind the last.
    mutating func byte() -> UInt8 { left.popFirst() ?? 0 }

    /// One of several, by the next byte.
    mutating func choice<Value>(_ values: [Value]) -> Value { values[Int(byte()) % values.count] }

    /// The next eight bytes as a number.
    mutating func integer() -> Int64 {
        var bits: UInt64 = 0
        for _ in 0..<8 { bits = bits << 8 | UInt64(byte()) }
        return Int64(bitPattern: bits)
    }

    /// What is left.
    var bytes: [UInt8] { Array(left) }
    /// What is left, repaired where it is no UTF-8: texts are strings when they get to what reads them.
    var text: String { String(decoding: left, as: UTF8.self) }

    /// What is left, in pieces.
    func pieces(by separator: UInt8) -> [[UInt8]] {
        left.split(separator: separator, omittingEmptySubsequences: false).map(Array.init)
    }
}
