// Places for values that come and go: an array whose gaps are filled again.

/// Values by a dense index, their slot; a slot that was freed is given to the next value.
package struct SlotTable<Value> {
    /// By slot; nil where one is free. What reads all of them, in the order of slots, reads this.
    package private(set) var slots: [Value?] = []
    private var free: [Int] = []

    package init() {}

    /// How many values there are.
    package var count: Int { slots.count - free.count }

    /// The slot that the next value gets.
    package var nextSlot: Int { free.last ?? slots.count }

    /// Puts a value where there is room.
    /// - Returns: Its slot.
    package mutating func insert(_ value: Value) -> Int {
        guard let slot = free.popLast() else {
            slots.append(value)
            return slots.count - 1
        }
        slots[slot] = value
        return slot
    }

    /// Frees a slot.
    /// - Returns: What was there; nil when it was free already.
    @discardableResult
    package mutating func remove(at slot: Int) -> Value? {
        guard let value = self[slot] else { return nil }
        slots[slot] = nil
        free.append(slot)
        return value
    }

    /// The value at a slot; nil where it is free, or was never given.
    package subscript(slot: Int) -> Value? { slots.indices.contains(slot) ? slots[slot] : nil }

    /// Changes the value at a slot in place; nothing where it is free.
    @discardableResult
    package mutating func update<Result>(_ slot: Int, _ change: (inout Value) -> Result) -> Result? {
        guard var value = self[slot] else { return nil }
        // Taken out meanwhile: a second reference to what it holds would have it copied.
        slots[slot] = nil
        defer { slots[slot] = value }
        return change(&value)
    }

    package mutating func reserveCapacity(_ count: Int) { slots.reserveCapacity(count) }
}
