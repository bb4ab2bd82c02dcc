// When each slot is due next, and whose turn it is while more is due than is carried out. It knows no budget: it is told
// that somebody fell behind, and what each turn took.
//
// As long as everything is carried out when it is due, the order is that of the instants. What is left over then goes by
// turns: first comes whoever will have been given least when its turn is over, and of those who come to the same whoever
// has been given least before (fair queuing; Demers, Keshav and Shenker 1989). So one who asks for much, or often, delays
// none but its like.

import Base
import RecurrenceRules
package import Tween

/// Slots by instant; those that fell behind by turn.
package struct FairTimetable: Sendable {
    struct Turn: Comparable, Sendable {
        /// What its slot counts as given when its turn begins.
        var start: Int
        /// And when it is over, about.
        var end: Int
        /// What it was given in fact.
        var given: Int
        var due: Instant

        static func < (left: Turn, right: Turn) -> Bool {
            (left.end, left.given, left.due) < (right.end, right.given, right.due)
        }

        static let last = Turn(start: .max, end: .max, given: .max, due: Instant(nanoseconds: .max))
    }

    private var timetable = Timetable()
    private var behind = DueHeap<Turn>()
    /// By slot, what it has been given since somebody fell behind.
    var given: [Int] = []
    /// What whoever's turn was last counted as given: nobody who comes anew is owed for the time before.
    var standard = 0

    package init() {}

    /// Something due no later than everything else, as far as nobody is behind; else what is next.
    package var first: Instant? {
        switch (timetable.first, behind.first?.due) {
        case (let one?, let other?): min(one, other)
        case (let one?, nil): one
        case (nil, let other): other
        }
    }

    /// When a slot is due that is not behind; nil where it has no such entry. O(1).
    func due(of slot: Int) -> Instant? { timetable.due(of: slot) }

    /// Sets, moves or removes (nil) a slot's entry. O(log n).
    package mutating func set(_ slot: Int, due: Instant?) {
        if behind.first != nil { behind.set(slot, due: nil) }
        timetable.set(slot, due: due)
    }

    /// Takes out the slot whose turn it is, of those that are due at or before `now`.
    package mutating func next(dueBy now: Instant) -> (slot: Int, due: Instant)? {
        guard let (slot, turn) = behind.next(dueBy: .last) else { return timetable.next(dueBy: now) }
        standard = max(standard, turn.start)
        return (slot, turn.due)
    }

    /// Lets what is overdue queue up for its turn.
    /// - Parameters:
    ///   - now: The present.
    ///   - limit: The most of them; the rest has to wait for a place.
    ///   - work: About what a slot's turn will take.
    package mutating func queueUp(dueBy now: Instant, limit: Int, work: (Int) -> Int) {
        for _ in 0..<limit {
            guard let (slot, due) = timetable.next(dueBy: now) else { break }
            let given = slot < given.count ? given[slot] : 0
            let start = max(standard, given)
            behind.set(slot, due: Turn(start: start, end: start.addingSaturated(work(slot)), given: given, due: due))
        }
    }

    /// Those that are not behind, in the order in which ties among them go.
    var waiting: [(slot: Int, due: Instant)] { timetable.entries }

    /// Those that are behind, likewise.
    var queued: [(slot: Int, due: Turn)] { behind.entries }

    /// Has a slot wait for its turn.
    mutating func queue(_ slot: Int, _ turn: Turn) { behind.set(slot, due: turn) }

    /// Nobody is behind any more: what turns took is forgotten.
    package mutating func catchUp() {
        given = []
        standard = 0
    }

    /// Counts what a slot's turn took.
    package mutating func charge(_ slot: Int, _ work: Int) {
        if slot >= given.count { given += repeatElement(0, count: slot + 1 - given.count) }
        given[slot] = max(standard, given[slot]).addingSaturated(work)
    }
}
