// All schedules as one value. It reads no clock: every change and every question is told the instant.

import Base
import RecurrenceRules
public import Tween

/// Schedules by their identifiers, and whether they are held.
///
/// A book is a value: it can be copied, compared with what it was, and stored as it is where its actions are `Codable`.
/// ``Scheduler`` carries one out by a clock; who has a loop of their own calls ``advance(to:)``. Instants count from 1970, as
/// `Instant(date)` does. What is due at one instant comes in the order in which it was scheduled, restored or not.
public struct ScheduleBook<Action: Sendable>: Sendable {
    /// A schedule, and how far it has come.
    public struct Entry: Sendable, Identifiable {
        /// Its name in the book.
        public let id: String
        /// When it fires.
        public let rule: ScheduleRule
        /// What is to be done.
        public let action: Action
        /// Whether it is held by itself, whatever holds all of them.
        public internal(set) var isPaused = false
        var firing: Firing
        let plan: FiringPlan
        /// Its place among those that are due at the same instant.
        let number: Int

        /// When it fires next; nil while what is left of an interval is held.
        public var due: Instant? { firing.remaining == nil ? firing.due : nil }
        /// How often it has fired.
        public var fired: Int { firing.fired }
        /// Seconds until it fires; never negative.
        public func remaining(at now: Instant) -> Double { firing.remaining(at: now) }
        /// When it would fire from now on, were nothing paused, as far as that is known; an overdue firing comes first.
        public func upcoming(_ limit: Int, at now: Instant) -> [Instant] {
            firing.upcoming(limit, by: plan, at: now)
        }
    }

    /// When an entry's turn comes.
    private struct Turn: Comparable, Sendable {
        let due: Instant
        let number: Int

        static func < (left: Turn, right: Turn) -> Bool { (left.due, left.number) < (right.due, right.number) }
    }

    /// The most schedules of a book that isn't told another limit.
    public static var defaultLimit: Int { 100_000 }

    /// The most schedules.
    public let limit: Int
    /// Whether all of them are held.
    public internal(set) var isPaused: Bool
    var slots: [String: Int] = [:]
    var entriesBySlot = SlotTable<Entry>()
    private var timetable = DueHeap<Turn>()
    /// The number of the entry that is put in next.
    var nextNumber = 0
    let calendar = ZonedCalendar()

    /// An empty book.
    /// - Parameters:
    ///   - limit: the most schedules.
    ///   - isPaused: whether nothing fires until ``resumeAll(at:)``.
    public init(limit: Int = Self.defaultLimit, isPaused: Bool = false) {
        self.limit = limit
        self.isPaused = isPaused
    }

    // MARK: - What is in it

    /// How many schedules wait.
    public var count: Int { slots.count }

    /// A schedule; nil where there is none of that name.
    public subscript(id: String) -> Entry? { slots[id].flatMap { entriesBySlot[$0] } }

    /// All of them: by the instants at which they are due, then what is held by what it has left; of equal ones what was
    /// scheduled first.
    public var entries: [Entry] {
        entriesBySlot.slots.compactMap(\.self).sorted { left, right in
            switch (left.firing.remaining, right.firing.remaining) {
            case (nil, nil): (left.firing.due, left.number) < (right.firing.due, right.number)
            case (let one?, let other?): (one, left.number) < (other, right.number)
            case (let remaining, _): remaining == nil
            }
        }
    }

    /// All of them as they were scheduled.
    var inOrder: [Entry] { entriesBySlot.slots.compactMap(\.self).sorted { $0.number < $1.number } }

    /// When ``advance(to:)`` has something to do next; nil while nothing waits or all is held.
    public var nextDue: Instant? { isPaused ? nil : timetable.first?.due }

    func isHeld(_ entry: Entry) -> Bool { isPaused || entry.isPaused }

    mutating func place(_ entry: Entry) {
        let slot: Int
        if let known = slots[entry.id] {
            slot = known
            entriesBySlot.update(slot) { $0 = entry }
        } else {
            slot = entriesBySlot.insert(entry)
            slots[entry.id] = slot
        }
        let waits = isHeld(entry) || entry.firing.remaining != nil
        timetable.set(slot, due: waits ? nil : Turn(due: entry.firing.due, number: entry.number))
    }

    mutating func displace(_ id: String) {
        guard let slot = slots.removeValue(forKey: id) else { return }
        timetable.set(slot, due: nil)
        entriesBySlot.remove(at: slot)
    }

    // MARK: - Time

    /// Lets time pass: what is due by `now` fires, in the order in which it was due.
    ///
    /// A repetition that fell due several times since fires once and goes on from now. One that has fired for the last time
    /// leaves the book before anybody is told.
    public mutating func advance(to now: Instant) -> [ScheduleEvent<Action>] {
        var events: [ScheduleEvent<Action>] = []
        while let fired = fireNext(dueBy: now) { events += fired }
        return events
    }

    /// Fires what is due first, if that is by `now`.
    /// - Returns: What happened to it; nil where nothing is due.
    mutating func fireNext(dueBy now: Instant) -> [ScheduleEvent<Action>]? {
        guard !isPaused, let (slot, turn) = timetable.next(dueBy: Turn(due: now, number: .max)),
            var entry = entriesBySlot[slot]
        else { return nil }
        let goesOn = entry.firing.advance(by: entry.plan, at: now)
        if goesOn { place(entry) } else { displace(entry.id) }
        let firing = ScheduleFiring(id: entry.id, action: entry.action, due: turn.due, count: entry.firing.fired)
        return goesOn ? [.fired(firing)] : [.fired(firing), .removed(entry.id, .completed)]
    }

    /// Looks at what was missed while nobody advanced the book, as after a launch: rules that say so leave it out. What
    /// is left fires with the next ``advance(to:)``.
    public mutating func skipMissed(at now: Instant) -> [ScheduleEvent<Action>] {
        entries.flatMap { isHeld($0) ? [] : settle($0, at: now) }
    }

    /// Puts back an entry as the pauses in force say, or leaves out what it missed.
    mutating func settle(_ changed: Entry, at now: Instant) -> [ScheduleEvent<Action>] {
        var entry = changed
        entry.firing.settle(isHeld: isHeld(entry), at: now)
        guard !isHeld(entry), entry.firing.leavesOut(by: entry.plan, at: now) else {
            place(entry)
            return []
        }
        let due = entry.firing.due
        guard entry.firing.skipMissed(by: entry.plan, at: now) else {
            displace(entry.id)
            return [.skipped(entry.id, due: due, next: nil), .removed(entry.id, .skipped)]
        }
        place(entry)
        return [.skipped(entry.id, due: due, next: entry.firing.due)]
    }
}

extension ScheduleBook.Entry: Equatable where Action: Equatable {
    /// Whether two are the same but for their places in their books.
    public static func == (left: Self, right: Self) -> Bool {
        (left.id, left.rule, left.action) == (right.id, right.rule, right.action)
            && left.isPaused == right.isPaused && left.firing == right.firing
    }
}

extension ScheduleBook: Equatable where Action: Equatable {
    /// Whether two go on alike.
    public static func == (left: Self, right: Self) -> Bool {
        left.limit == right.limit && left.isPaused == right.isPaused && left.inOrder == right.inOrder
    }
}
