// Whose turn it is among the streams of a shard that have something to send.
//
// While all are served between two ticks, any order does. Where there is more to do than time, a stream is served again only
// after everybody else who waits: those that a tick made ready stand behind those that still wait, and among themselves in
// the order of their last turns. In the order of a topic's listeners, those who were served last would be first again, and
// the same ones would get their frames at half the gap of others, or at one and a half times it.

import Base

/// Slots in the order of their turns; each at most once, which its owner sees to.
package struct TurnQueue: ~Copyable {
    private struct Place {
        let lastTurn: UInt64
        let slot: Int32
    }

    /// Places that were left are given back when there are so many, and no fewer than those that wait.
    package static let mostLeftPlaces = 4_096

    /// Those before `start` had their turn.
    private var slots: [Int32] = []
    private var start = 0
    /// By slot, the number of its last turn.
    private var lastTurns: [UInt64] = []
    private var turn: UInt64 = 0
    private var sorted: [Place] = []

    package init() {}

    /// Slots that wait.
    package var count: Int { slots.count - start }
    /// Slots that wait, and places that were left and not given back yet.
    package var placeCount: Int { slots.count }

    package mutating func append(_ slot: Int) { slots.append(Int32(truncatingIfNeeded: slot)) }

    /// The next slot; it waits no more.
    package mutating func next() -> Int? {
        guard start < slots.count else {
            slots.removeAll(keepingCapacity: true)
            start = 0
            return nil
        }
        defer { start += 1 }
        return Int(slots[start])
    }

    /// A slot is served, or newly taken: others come first from now on.
    package mutating func recordTurn(of slot: Int) {
        while lastTurns.count <= slot { lastTurns.append(0) }
        // At a million a second it would take half a million years to overflow.
        turn += 1
        lastTurns[slot] = turn
    }

    /// Has those that are appended meanwhile stand behind those that wait, whoever was served longest ago first.
    package mutating func orderLast(_ added: Int) {
        giveBackPlaces()
        let first = slots.count - added
        // Nobody waits: all were served since they were last appended.
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
