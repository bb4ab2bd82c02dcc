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

    package static func < (one: Self, other: Self) -> Bool {
        (one.loop, one.slot, one.generation) < (other.loop, other.slot, other.generation)
    }
}
