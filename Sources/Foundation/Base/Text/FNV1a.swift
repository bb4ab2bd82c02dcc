// A hash that is the same in every process.

/// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv). It distinguishes byte strings, but doesn't resist forgery.
@usableFromInline
package struct FNV1a: Sendable {
    @usableFromInline package internal(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable package init() {}

    @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(word: UInt64(byte)) }
    }

    /// Adds a value that may be no byte, such as a separator.
    @inlinable package mutating func add(word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01B3 }
}
