// Numbers of places that come and go, for those who keep what is there in arrays of their own.

/// Slots: dense numbers from 0 on; one that was freed is given out again.
@usableFromInline
package struct SlotNumbers: Sendable {
    /// How many were ever given out: as long are arrays by slot.
    @usableFromInline package internal(set) var limit = 0
    /// Those that are not in use, the last one freed last.
    @usableFromInline package internal(set) var freed: [Int] = []

    @inlinable package init() {}

    /// Numbers that were given out before.
    /// - Parameters:
    ///   - limit: How many there were ever.
    ///   - freed: Those that are not in use, the last one freed last; each below the limit, and once.
    package init(limit: Int, freed: [Int]) { (self.limit, self.freed) = (limit, freed) }

    /// How many are in use.
    @inlinable package var count: Int { limit - freed.count }

    /// The slot that is given out next: the one that was freed last, or a new one.
    @inlinable package var next: Int { freed.last ?? limit }

    /// - Returns: The slot that was next.
    @inlinable
    package mutating func take() -> Int {
        if let slot = freed.popLast() { return slot }
        defer { limit += 1 }
        return limit
    }

    /// Gives back a slot that was taken, once.
    @inlinable package mutating func free(_ slot: Int) { freed.append(slot) }
}
