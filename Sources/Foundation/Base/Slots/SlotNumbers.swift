// Slot numbers, for code that keeps the values in arrays of its own.

/// Dense numbers from 0 on. A freed number is reused.
@usableFromInline
package struct SlotNumbers: Sendable {
    /// The most slots ever in use at once, which is the length of arrays by slot.
    @usableFromInline package internal(set) var limit = 0
    /// Free slots, in the order they were freed.
    @usableFromInline package internal(set) var freed: [Int] = []

    @inlinable package init() {}

    /// Restores earlier numbers.
    /// - Parameters:
    ///   - limit: The most slots ever in use at once.
    ///   - freed: Free slots in the order they were freed; each below the limit, and once.
    package init(limit: Int, freed: [Int]) { (self.limit, self.freed) = (limit, freed) }

    /// The number of slots in use.
    @inlinable package var count: Int { limit - freed.count }

    /// Takes the next slot.
    /// - Returns: The slot freed last, or a new one.
    @inlinable
    package mutating func allocate() -> Int {
        if let slot = freed.popLast() { return slot }
        defer { limit += 1 }
        return limit
    }

    /// Frees a slot. Call it once for each `allocate`.
    @inlinable package mutating func free(_ slot: Int) { freed.append(slot) }
}
