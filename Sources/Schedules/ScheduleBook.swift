// All schedules as one value. It reads no clock: every change and every question is told the instant.

import Calendars
import Primitives
import Recurrences
public import Tween

/// Schedules by their identifiers, and whether they are held.
///
/// A book is a value: it can be copied, compared with what it was, and stored as it is (`Codable`). ``Scheduler`` carries
/// one out by a clock; who has a loop of their own calls ``advance(to:)``. Instants count from 1970, as `Instant(date)` does.
public struct ScheduleBook<Action: Codable & Sendable>: Sendable {
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

    /// The most schedules.
    public let limit: Int
    /// Whether all of them are held.
    public internal(set) var isPaused: Bool
    var slots: [String: Int] = [:]
    var entriesBySlot = SlotTable<Entry>()
    private var timetable = DueHeap<Instant>()
    let calendar: ZonedCalendar

    /// An empty book.
    /// - Parameters:
    ///   - limit: the most schedules.
    ///   - isPaused: whether nothing fires until ``resumeAll(at:)``.
    public init(limit: Int = 100_000, isPaused: Bool = false) {
        self.limit = limit
        self.isPaused = isPaused
        calendar = ZonedCalendar()
    }

    // MARK: - What is in it

    /// How many schedules wait.
    public var count: Int { slots.count }

    /// A schedule; nil where there is none of that name.
    public subscript(id: String) -> Entry? { slots[id].flatMap { entriesBySlot[$0] } }

    /// All of them: by the instants at which they are due, then what is held by what it has left; of equal ones by name.
    public var entries: [Entry] {
        entriesBySlot.slots.compactMap(\.self).sorted { left, right in
            switch (left.firing.remaining, right.firing.remaining) {
            case (nil, nil): (left.firing.due, left.id) < (right.firing.due, right.id)
            case (let one?, let other?): (one, left.id) < (other, right.id)
            case (let remaining, _): remaining == nil
            }
        }
    }

    /// When ``advance(to:)`` has something to do next; nil while nothing waits or all is held.
    public var nextDue: Instant? { isPaused ? nil : timetable.first }

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
        timetable.set(slot, due: isHeld(entry) || entry.firing.remaining != nil ? nil : entry.firing.due)
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
        while let next = fireNext(dueBy: now) { events += next }
        return events
    }

    /// Fires what was due first of all that is due by `now`.
    /// - Returns: What happened; nil where nothing is due.
    mutating func fireNext(dueBy now: Instant) -> [ScheduleEvent<Action>]? {
        guard !isPaused, let (slot, due) = timetable.next(dueBy: now), var entry = entriesBySlot[slot] else {
            return nil
        }
        let goesOn = entry.firing.advance(by: entry.plan, at: now)
        if goesOn { place(entry) } else { displace(entry.id) }
        let firing = ScheduleFiring(id: entry.id, action: entry.action, due: due, count: entry.firing.fired)
        return [.fired(firing)] + (goesOn ? [] : [.removed(entry.id, .completed)])
    }

    /// Looks at what was missed while nobody advanced the book, as after a launch: rules that say so leave it out. What
    /// is left fires with the next ``advance(to:)``.
    public mutating func skipMissed(at now: Instant) -> [ScheduleEvent<Action>] {
        // By their dates, so that the same book says the same wherever it is read.
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
