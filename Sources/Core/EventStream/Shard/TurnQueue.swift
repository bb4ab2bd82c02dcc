// The order in which a shard's streams are served.
//
// If all are served between two ticks, any order will do. If there is more work than time, a stream is served again only
// after all others that wait: streams that a tick made ready queue behind those that still wait, and among themselves in the
// order of their last turns. In the order of a topic's subscribers, those that were served last would be first again, and
// the same ones would always get their frames at half the interval of others, or at one and a half times it.

import Base

/// Slots in the order of their turns; the owner ensures that each is queued at most once.
package struct TurnQueue: ~Copyable {
    private struct Place {
        let lastTurn: UInt64
        let slot: Int32
    }

    /// Served entries are removed when there are this many, and at least as many as waiting ones.
    package static let mostLeftPlaces = 4_096

    /// Entries before `start` are served.
    private(set) var slots: [Int32] = []
    private var start = 0
    /// By slot, the number of its last turn.
    private var lastTurns: [UInt64] = []
    private var turn: UInt64 = 0
    private var sorted: [Place] = []

    package init() {}

    /// The number of waiting slots.
    package var count: Int { slots.count - start }

    /// The waiting slots in order.
    // proven: the start is at most the end.
    var waiting: ArraySlice<Int32> { slots[start...] }

    package mutating func append(_ slot: Int) { slots.append(Int32(truncatingIfNeeded: slot)) }

    /// Takes the next slot.
    package mutating func next() -> Int? {
        guard start < slots.count else {
            slots.removeAll(keepingCapacity: true)
            start = 0
            return nil
        }
        defer { start += 1 }
        return Int(slots[start])
    }

    /// Records that a slot is served, or newly used, so that others come first.
    package mutating func recordTurn(of slot: Int) {
        while lastTurns.count <= slot { lastTurns.append(0) }
        // At a million a second it would take half a million years to overflow.
        turn += 1
        lastTurns[slot] = turn
    }

    /// Sorts the slots that were appended last by their last turns, oldest first; slots that waited before stay in front.
    package mutating func orderLast(_ added: Int) {
        giveBackPlaces()
        let first = slots.count - added
        // If none was waiting before, all were served since they were last appended.
        guard added > 1, first > start else { return }
        sorted.removeAll(keepingCapacity: true)
        // proven: no more were added than there are.
        for slot in slots[first...] {
            let index = Int(slot)
            sorted.append(Place(lastTurn: index < lastTurns.count ? lastTurns[index] : 0, slot: slot))
        }
        sorted.sort { $0.lastTurn < $1.lastTurn }
        for (offset, place) in sorted.enumerated() { slots[first + offset] = place.slot }
    }

    private mutating func giveBackPlaces() {
        guard start >= Self.mostLeftPlaces, start >= count else { return }
        slots.removeFirst(start)
        start = 0
    }
}
