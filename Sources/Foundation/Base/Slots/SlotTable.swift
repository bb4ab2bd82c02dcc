// An array whose gaps are filled again. Inlinable: as generic code it is ten times as slow, and a stream's links
// are read with every frame.

/// Values by slot, a dense index. A freed slot is reused for the next value.
@usableFromInline
package struct SlotTable<Value> {
    @usableFromInline var places: [Value?] = []
    @usableFromInline var numbers = SlotNumbers()

    @inlinable package init() {}

    /// By slot; nil for free ones. For code that reads all values in the order of slots.
    @inlinable package var slots: [Value?] { places }

    /// The number of values.
    @inlinable package var count: Int { numbers.count }

    /// Inserts a value into a free slot.
    /// - Returns: Its slot.
    @inlinable
    package mutating func insert(_ value: Value) -> Int {
        let slot = numbers.allocate()
        if slot == places.count { places.append(value) } else { places[slot] = value }
        return slot
    }

    /// Frees a slot.
    /// - Returns: Its value; nil if it was free already, or was never used.
    @discardableResult
    @inlinable
    package mutating func remove(at slot: Int) -> Value? {
        guard let value = self[slot] else { return nil }
        places[slot] = nil
        numbers.free(slot)
        return value
    }

    /// The value at a slot; nil if it is free or was never used.
    @inlinable package subscript(slot: Int) -> Value? { places.indices.contains(slot) ? places[slot] : nil }

    /// Changes the value at a slot in place; does nothing if it is free.
    @discardableResult
    @inlinable
    package mutating func update<Result>(_ slot: Int, _ change: (inout Value) -> Result) -> Result? {
        guard places.indices.contains(slot), var value = places[slot] else { return nil }
        // Moved out and back, so that what it references stays uniquely owned while it changes.
        places[slot] = nil
        defer { places[slot] = value }
        return change(&value)
    }

    @inlinable package mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }
}

extension SlotTable: Sendable where Value: Sendable {}
