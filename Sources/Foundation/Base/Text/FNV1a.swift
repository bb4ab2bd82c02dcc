// A hash that is the same in every process. Its values are stored and sent (retry keys, ETags): they may never change.

/// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv). Different byte strings
/// nearly always differ; it doesn't resist forgery.
@usableFromInline
package struct FNV1a: Sendable {
    @usableFromInline package internal(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable package init() {}

    @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(word: UInt64(byte)) }
    }

    /// Adds one value in one step. One above 255 is a separator that no byte equals.
    @inlinable package mutating func add(word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01B3 }
}
