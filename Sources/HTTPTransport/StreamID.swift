// A stream's identity.

/// A stream by its place; a place is used again with another generation.
package struct StreamID: Hashable, Sendable {
    package let loop: UInt16
    package let slot: UInt32
    package let generation: UInt32

    package init(loop: UInt16, slot: UInt32, generation: UInt32) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }
}
