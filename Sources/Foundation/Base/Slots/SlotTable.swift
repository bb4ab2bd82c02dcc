// Places for values that come and go: an array whose gaps are filled again. Inlinable: called as generic code it is ten
// times as slow, and most of what it holds is looked at with every frame.

/// Values by a dense index, their slot; a slot that was freed is given to the next value.
@usableFromInline
package struct SlotTable<Value> {
    @usableFromInline var places: [Value?] = []
    @usableFromInline var numbers = SlotNumbers()

    @inlinable package init() {}

    /// By slot; nil where one is free. What reads all of them, in the order of slots, reads this.
    @inlinable package var slots: [Value?] { places }

    /// How many values there are.
    @inlinable package var count: Int { numbers.count }

    /// The slot that the next value gets.
    @inlinable package var nextSlot: Int { numbers.next }

    /// Puts a value where there is room.
    /// - Returns: Its slot.
    @inlinable
    package mutating func insert(_ value: Value) -> Int {
        let slot = numbers.take()
        if slot == places.count { places.append(value) } else { places[slot] = value }
        return slot
    }

    /// Frees a slot.
    /// - Returns: What was there; nil when it was free already.
    @discardableResult
    @inlinable
    package mutating func remove(at slot: Int) -> Value? {
        guard let value = self[slot] else { return nil }
        places[slot] = nil
        numbers.free(slot)
        return value
    }

    /// The value at a slot; nil where it is free, or was never given.
    @inlinable package subscript(slot: Int) -> Value? { places.indices.contains(slot) ? places[slot] : nil }

    /// Changes the value at a slot in place; nothing where it is free.
    @discardableResult
    @inlinable
    package mutating func update<Result>(_ slot: Int, _ change: (inout Value) -> Result) -> Result? {
        guard places.indices.contains(slot), var value = places[slot] else { return nil }
        // Moved out and back, so that what it refers to is its own while it changes.
        places[slot] = nil
        defer { places[slot] = value }
        return change(&value)
    }

    @inlinable package mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }
}

extension SlotTable: Sendable where Value: Sendable {}
