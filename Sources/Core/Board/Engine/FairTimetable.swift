// When each slot is due next, and the order while more is due than can be done. It has no budget: the caller reports that
// work was left over, and how much each turn took.
//
// While everything is done when it is due, the order is that of due instants. Work left over is ordered by fair queuing
// (Demers, Keshav and Shenker 1989): first the slot with the least total after its turn; of equals, the one with the least
// before it. So a slot with much or frequent work only delays others like it.

import Base
import RecurrenceRules
package import Tween

/// Slots by due instant; overdue ones by turn.
package struct FairTimetable: Sendable {
    struct Turn: Comparable, Sendable {
        /// The slot's total before its turn.
        var start: Int
        /// Its estimated total after its turn.
        var end: Int
        /// The work that it has really received.
        var given: Int
        var due: Instant

        static func < (left: Turn, right: Turn) -> Bool {
            (left.end, left.given, left.due) < (right.end, right.given, right.due)
        }

        static let last = Turn(start: .max, end: .max, given: .max, due: Instant(nanoseconds: .max))
    }

    private var timetable = Timetable()
    private var behind = DueHeap<Turn>()
    /// Work received since the timetable fell behind, by slot.
    var given: [Int] = []
    /// The total at the start of the latest turn. A new slot starts there and gets no credit for earlier.
    var standard = 0

    package init() {}

    /// The earlier due instant of the first waiting entry and the next turn.
    package var first: Instant? {
        switch (timetable.first, behind.first?.due) {
        case (let one?, let other?): min(one, other)
        case (let one?, nil): one
        case (nil, let other): other
        }
    }

    /// Returns when a slot is due that is not queued; nil if it has no such entry. O(1).
    func due(of slot: Int) -> Instant? { timetable.due(of: slot) }

    /// Sets, moves or removes (nil) a slot's entry. O(log n).
    package mutating func set(_ slot: Int, due: Instant?) {
        if behind.first != nil { behind.set(slot, due: nil) }
        timetable.set(slot, due: due)
    }

    /// Removes and returns the next slot: a queued one, or one that is due by `now`.
    package mutating func next(dueBy now: Instant) -> (slot: Int, due: Instant)? {
        guard let (slot, turn) = behind.next(dueBy: .last) else { return timetable.next(dueBy: now) }
        standard = max(standard, turn.start)
        return (slot, turn.due)
    }

    /// Moves overdue slots to the queue.
    /// - Parameters:
    ///   - now: The present.
    ///   - limit: The most to move; the rest follows in later calls.
    ///   - work: The estimated work of a slot's turn.
    package mutating func queueUp(dueBy now: Instant, limit: Int, work: (Int) -> Int) {
        for _ in 0..<limit {
            guard let (slot, due) = timetable.next(dueBy: now) else { break }
            let given = slot < given.count ? given[slot] : 0
            let start = max(standard, given)
            behind.set(slot, due: Turn(start: start, end: start.addingSaturated(work(slot)), given: given, due: due))
        }
    }

    /// Entries that are not queued, in the order that breaks ties.
    var waiting: [(slot: Int, due: Instant)] { timetable.entries }

    /// Queued entries, likewise.
    var queued: [(slot: Int, due: Turn)] { behind.entries }

    /// Queues a slot.
    mutating func queue(_ slot: Int, _ turn: Turn) { behind.set(slot, due: turn) }

    /// Forgets the totals: nothing is behind any more.
    package mutating func catchUp() {
        given = []
        standard = 0
    }

    /// Adds the work of a slot's turn to its total.
    package mutating func charge(_ slot: Int, _ work: Int) {
        if slot >= given.count { given += repeatElement(0, count: slot + 1 - given.count) }
        given[slot] = max(standard, given[slot]).addingSaturated(work)
    }
}
