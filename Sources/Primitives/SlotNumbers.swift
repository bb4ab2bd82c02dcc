// Numbers of places that come and go, for those who keep what is there themselves, in arrays of their own.

/// Slots: dense numbers from 0 on; one that was freed is given out again.
package struct SlotNumbers {
    /// How many were ever given out: as long are arrays by slot.
    package private(set) var limit = 0
    private var free: [Int] = []

    package init() {}

    /// How many are in use.
    package var count: Int { limit - free.count }

    /// - Returns: The slot freed last, or a new one, which is `limit` before.
    package mutating func take() -> Int {
        if let slot = free.popLast() { return slot }
        defer { limit += 1 }
        return limit
    }

    /// Gives back a slot that was taken, once.
    package mutating func free(_ slot: Int) { free.append(slot) }
}
