// The ID of a stream.

/// A stream's place. A reused place has another generation.
package struct StreamID: Hashable, Comparable, Sendable {
    /// The index of the loop that owns its socket, and of the shard that feeds it.
    package let loop: UInt16
    package let slot: UInt32
    package let generation: UInt32

    package init(loop: UInt16, slot: UInt32, generation: UInt32) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }

    // As one word: several dictionaries are searched for each stream that begins or ends.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(generation) << 32 ^ UInt64(loop) << 48 ^ UInt64(slot))
    }

    package static func < (one: Self, other: Self) -> Bool {
        (one.loop, one.slot, one.generation) < (other.loop, other.slot, other.generation)
    }
}
