// All schedules as one value. It reads no clock: every change and query takes the instant.

import Base
import RecurrenceRules
public import Tween

/// Schedules by ID, and whether they are paused.
///
/// A book is a value: it can be copied, compared, and stored if its actions are `Codable`. ``Scheduler`` runs one by a
/// clock; a program with its own loop calls ``advance(to:)``. Instants count from 1970, as `Instant(date)` does. Schedules
/// due at the same instant fire in the order they were added, even after restoring.
public struct ScheduleBook<Action: Sendable>: Sendable {
    /// A schedule and its progress.
    public struct Entry: Sendable, Identifiable {
        /// Its ID in the book.
        public let id: String
        /// When it fires.
        public let rule: ScheduleRule
        /// The action to perform.
        public let action: Action
        /// Whether it is paused itself, independently of the whole book.
        public internal(set) var isPaused = false
        var firing: Firing
        let plan: FiringPlan
        /// Its rank among schedules due at the same instant.
        let number: Int

        /// When it fires next; nil while an interval is paused.
        public var due: Instant? { firing.remaining == nil ? firing.due : nil }
        /// How often it has fired.
        public var fired: Int { firing.fired }
        /// Seconds until it fires; never negative.
        public func remaining(at now: Instant) -> Double { firing.remaining(at: now) }
        /// Returns when it would fire from now on if nothing were paused, as far as known. An overdue firing comes first.
        /// - Parameter limit: The most instants; never more than ``maximumUpcoming``.
        public func upcoming(_ limit: Int, at now: Instant) -> [Instant] {
            firing.upcoming(min(limit, Self.maximumUpcoming), by: plan, at: now)
        }

        /// The most instants of ``upcoming(_:at:)``: a rule may fire a hundred times a second until 2262.
        public static var maximumUpcoming: Int { 10_000 }
    }

    /// The due time and rank of an entry.
    private struct Turn: Comparable, Sendable {
        let due: Instant
        let number: Int

        static func < (left: Turn, right: Turn) -> Bool { (left.due, left.number) < (right.due, right.number) }
    }

    /// The default limit of schedules.
    public static var defaultLimit: Int { 100_000 }

    /// The most schedules.
    public let limit: Int
    /// Whether all schedules are paused.
    public internal(set) var isPaused: Bool
    var slots: [String: Int] = [:]
    var entriesBySlot = SlotTable<Entry>()
    private var timetable = DueHeap<Turn>()
    /// The number of the next added entry.
    var nextNumber = 0
    let calendar = ZonedCalendar()

    /// Creates an empty book.
    /// - Parameters:
    ///   - limit: the most schedules.
    ///   - isPaused: whether nothing fires until ``resumeAll(at:)``.
    public init(limit: Int = Self.defaultLimit, isPaused: Bool = false) {
        self.limit = limit
        self.isPaused = isPaused
    }

    // MARK: - Contents

    /// The number of waiting schedules.
    public var count: Int { slots.count }

    /// The schedule with an ID; nil if there is none.
    public subscript(id: String) -> Entry? { slots[id].flatMap { entriesBySlot[$0] } }

    /// All schedules: by due time, then paused intervals by remaining time. Ties are in the order added.
    public var entries: [Entry] {
        entriesBySlot.slots.compactMap(\.self).sorted { left, right in
            switch (left.firing.remaining, right.firing.remaining) {
            case (nil, nil): (left.firing.due, left.number) < (right.firing.due, right.number)
            case (let one?, let other?): (one, left.number) < (other, right.number)
            case (let remaining, _): remaining == nil
            }
        }
    }

    /// All schedules in the order added.
    var inOrder: [Entry] { entriesBySlot.slots.compactMap(\.self).sorted { $0.number < $1.number } }

    /// When ``advance(to:)`` has something to do next; nil while nothing waits or all is paused.
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

    /// Advances time: everything due by `now` fires, in the order it was due.
    ///
    /// A repetition that was due several times fires once and continues from now. A schedule that has fired for the last
    /// time leaves the book before its event is returned.
    public mutating func advance(to now: Instant) -> [ScheduleEvent<Action>] {
        var events: [ScheduleEvent<Action>] = []
        while let fired = fireNext(dueBy: now) { events += fired }
        return events
    }

    /// Fires the first due schedule, if it is due by `now`.
    /// - Returns: Its events; nil if nothing is due.
    mutating func fireNext(dueBy now: Instant) -> [ScheduleEvent<Action>]? {
        guard !isPaused, let (slot, turn) = timetable.next(dueBy: Turn(due: now, number: .max)),
            var entry = entriesBySlot[slot]
        else { return nil }
        // A clock that was set may have moved it beyond its last date.
        guard !entry.firing.skips(by: entry.plan, at: turn.due) else { return settle(entry, at: now) }
        let goesOn = entry.firing.advance(by: entry.plan, at: now)
        if goesOn { place(entry) } else { displace(entry.id) }
        let firing = ScheduleFiring(id: entry.id, action: entry.action, due: turn.due, count: entry.firing.fired)
        return goesOn ? [.fired(firing)] : [.fired(firing), .removed(entry.id, .completed)]
    }

    /// Handles firings missed while nothing advanced the book, such as before a launch: rules that skip missed firings skip
    /// them. The rest fires with the next ``advance(to:)``.
    public mutating func skipMissed(at now: Instant) -> [ScheduleEvent<Action>] {
        entries.flatMap { isHeld($0) ? [] : settle($0, at: now) }
    }

    /// Updates an entry after its pause state changed, or skips what it missed.
    mutating func settle(_ changed: Entry, at now: Instant) -> [ScheduleEvent<Action>] {
        var entry = changed
        entry.firing.settle(isHeld: isHeld(entry), at: now)
        guard !isHeld(entry), entry.firing.skips(by: entry.plan, at: now) else {
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
    /// Returns whether two entries are equal apart from their rank.
    public static func == (left: Self, right: Self) -> Bool {
        (left.id, left.rule, left.action) == (right.id, right.rule, right.action)
            && left.isPaused == right.isPaused && left.firing == right.firing
    }
}

extension ScheduleBook: Equatable where Action: Equatable {
    /// Returns whether two books continue identically.
    public static func == (left: Self, right: Self) -> Bool {
        left.limit == right.limit && left.isPaused == right.isPaused && left.inOrder == right.inOrder
    }
}
