// Counts open connections by owner, which is a client's address or its network. Each owner has a slot, which finds its count
// without hashing: the search for the owner with the most connections looks counts up often.

import Base

/// Connection counts by owner.
struct OwnerCounts {
    private struct Owner {
        var name = ""
        var count = 0
    }

    private var slots: [String: Int] = [:]
    private var owners: [Owner] = []
    private var slotNumbers = SlotNumbers()

    /// Counts one more connection.
    /// - Returns: The owner's slot, valid while it has connections.
    mutating func add(_ name: String) -> Int {
        if let known = slots[name] {
            owners[known].count += 1
            return known
        }
        let slot = slotNumbers.allocate()
        if slot == owners.count { owners.append(Owner()) }
        owners[slot] = Owner(name: name, count: 1)
        slots[name] = slot
        return slot
    }

    /// Counts one connection fewer.
    mutating func remove(_ slot: Int) {
        owners[slot].count -= 1
        guard owners[slot].count == 0 else { return }
        slots[owners[slot].name] = nil
        owners[slot] = Owner()
        slotNumbers.free(slot)
    }

    /// The number of connections of an owner.
    subscript(slot: Int) -> Int { owners[slot].count }

    /// Returns the slot of an owner that has connections.
    func slot(of name: String) -> Int? { slots[name] }
}
