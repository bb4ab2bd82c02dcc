// A binary heap of due times with at most one entry per slot, so its size is bounded by the slots. Inlinable: as generic
// code of another module it would be several times slower.

import Tween

/// A priority queue of slots. For equal due times, the slot entered first comes first.
@usableFromInline
package struct DueHeap<Due: Comparable & Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var due: Due
        /// The order of entry, which makes ties deterministic.
        @usableFromInline var order: UInt64
        @usableFromInline var slot: Int

        @inlinable
        init(due: Due, order: UInt64, slot: Int) {
            self.due = due
            self.order = order
            self.slot = slot
        }

        @inlinable
        func precedes(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }
    }

    @usableFromInline var heap: [Entry] = []
    /// The position of a slot's entry in the heap; -1 for none.
    @usableFromInline var places: [Int] = []
    @usableFromInline var entered: UInt64 = 0

    @inlinable package init() {}

    /// The earliest due time, if any.
    @inlinable package var first: Due? { heap.first?.due }

    /// All slots and their due times, in order of entry.
    package var entries: [(slot: Int, due: Due)] {
        heap.sorted { $0.order < $1.order }.map { ($0.slot, $0.due) }
    }

    /// Returns a slot's due time; nil without an entry. O(1).
    @inlinable
    package func due(of slot: Int) -> Due? {
        guard slot < places.count, places[slot] >= 0 else { return nil }
        return heap[places[slot]].due
    }

    /// Sets, moves (`due` given) or removes (nil) a slot's entry. O(log n).
    @inlinable
    package mutating func set(_ slot: Int, due: Due?) {
        if slot >= places.count {
            places.append(contentsOf: repeatElement(-1, count: slot + 1 - places.count))
        }
        let place = places[slot]
        guard let due else {
            if place >= 0 { remove(at: place) }
            return
        }
        if place >= 0 {
            guard heap[place].due != due else { return }
            heap[place].due = due
            settle(place)
        } else {
            entered += 1
            heap.append(Entry(due: due, order: entered, slot: slot))
            places[slot] = heap.count - 1
            settle(heap.count - 1)
        }
    }

    /// Removes and returns the earliest slot due at or before `now`.
    @inlinable
    package mutating func next(dueBy now: Due) -> (slot: Int, due: Due)? {
        guard let entry = heap.first, entry.due <= now else { return nil }
        remove(at: 0)
        return (entry.slot, entry.due)
    }

    @inlinable
    mutating func remove(at place: Int) {
        places[heap[place].slot] = -1
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        places[last.slot] = place
        settle(place)
    }

    @inlinable
    mutating func settle(_ start: Int) {
        var place = start
        while place > 0, heap[place].precedes(heap[(place - 1) / 2]) {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        while true {
            let (left, right) = (2 * place + 1, 2 * place + 2)
            var least = left < heap.count && heap[left].precedes(heap[place]) ? left : place
            if right < heap.count, heap[right].precedes(heap[least]) { least = right }
            guard least != place else { return }
            exchange(place, least)
            place = least
        }
    }

    @inlinable
    mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        places[heap[one].slot] = one
        places[heap[other].slot] = other
    }
}

extension DueHeap<Instant> {
    /// Moves all entries along a timeline that was shifted by `nanoseconds`.
    package mutating func shift(byNanoseconds nanoseconds: Int64) {
        // All move equally, so their order stays; beyond the year 2262 they would meet at the last instant.
        for place in heap.indices { heap[place].due = heap[place].due.advanced(byNanoseconds: nanoseconds) }
    }
}
