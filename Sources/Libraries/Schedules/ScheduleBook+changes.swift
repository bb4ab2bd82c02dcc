// Changes to a book: schedules are added, cancelled, paused and resumed.

import RecurrenceRules
public import Tween

extension ScheduleBook {
    /// Adds a schedule, replacing one with the same ID.
    ///
    /// While all are paused, it waits with its whole interval.
    /// - Throws: ``ScheduleError``; the book is unchanged then.
    public mutating func schedule(
        _ rule: ScheduleRule, _ action: Action, id: String, at now: Instant
    ) throws(ScheduleError) -> [ScheduleEvent<Action>] {
        let plan = try rule.plan(by: calendar)
        var firing: Firing
        do throws(RecurrenceError) {
            firing = try Firing(plan, at: now)
        } catch {
            throw ScheduleError(error)
        }
        if isPaused { firing.hold(at: now) }
        let entry = Entry(id: id, rule: rule, action: action, firing: firing, plan: plan, number: nextNumber)
        try put(entry)
        return [.scheduled(id, due: entry.due)]
    }

    /// Adds an entry that has the next number.
    /// - Throws: ``ScheduleError/full(limit:)``.
    mutating func put(_ entry: Entry) throws(ScheduleError) {
        guard slots[entry.id] != nil || count < limit else { throw .full(limit: limit) }
        nextNumber += 1
        place(entry)
    }

    /// Cancels a schedule. Does nothing if there is none with this ID.
    public mutating func cancel(_ id: String) -> [ScheduleEvent<Action>] {
        guard slots[id] != nil else { return [] }
        displace(id)
        return [.removed(id, .cancelled)]
    }

    /// Cancels all schedules.
    public mutating func cancelAll() -> [ScheduleEvent<Action>] {
        entries.flatMap { cancel($0.id) }
    }

    /// Pauses a schedule. An interval keeps its remaining time; a schedule tied to dates keeps its due date. If that has passed
    /// on resuming, the schedule fires late; a rule that skips missed firings skips it, and leaves the book if it has no other.
    /// Does nothing if there is no such schedule, or if it is already paused individually.
    public mutating func pause(_ id: String, at now: Instant) -> [ScheduleEvent<Action>] {
        setPaused(true, id, at: now)
    }

    /// Resumes a schedule; see ``pause(_:at:)``.
    public mutating func resume(_ id: String, at now: Instant) -> [ScheduleEvent<Action>] {
        setPaused(false, id, at: now)
    }

    /// Pauses all schedules, including those added later.
    public mutating func pauseAll(at now: Instant) -> [ScheduleEvent<Action>] { setAllPaused(true, at: now) }

    /// Resumes all schedules that aren't paused themselves.
    public mutating func resumeAll(at now: Instant) -> [ScheduleEvent<Action>] { setAllPaused(false, at: now) }

    private mutating func setPaused(_ isPaused: Bool, _ id: String, at now: Instant) -> [ScheduleEvent<Action>] {
        guard var entry = self[id], entry.isPaused != isPaused else { return [] }
        entry.isPaused = isPaused
        return [isPaused ? .paused(id) : .resumed(id)] + settle(entry, at: now)
    }

    private mutating func setAllPaused(_ isPaused: Bool, at now: Instant) -> [ScheduleEvent<Action>] {
        guard self.isPaused != isPaused else { return [] }
        self.isPaused = isPaused
        return [isPaused ? .paused(nil) : .resumed(nil)] + entries.flatMap { settle($0, at: now) }
    }
}

extension ScheduleBook: CustomStringConvertible {
    /// Whether the book is paused, and how many schedules wait.
    public var description: String { "\(isPaused ? "Paused" : "Running"), \(count) pending" }
}
