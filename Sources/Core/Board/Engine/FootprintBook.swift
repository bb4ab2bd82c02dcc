// The estimated bytes of each slot of a table.

/// Bytes by slot, and their sum.
struct FootprintBook {
    private var bySlot: [Int] = []
    private(set) var bytes = 0

    subscript(slot: Int) -> Int { bySlot[slot] }

    mutating func grow(to slot: Int) {
        while bySlot.count <= slot { bySlot.append(0) }
    }

    mutating func set(_ footprint: Int, at slot: Int) {
        bytes += footprint - bySlot[slot]
        bySlot[slot] = footprint
    }
}
