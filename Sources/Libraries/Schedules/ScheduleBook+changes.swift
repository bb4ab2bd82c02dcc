// Schedules come, go, and are held, one and all.

import RecurrenceRules
public import Tween

extension ScheduleBook {
    /// Puts a schedule in, in place of one of the same name.
    ///
    /// While all are held it only waits, with its whole interval.
    /// - Throws: ``ScheduleError``, and the book stays as it is.
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

    /// Puts in an entry that has the next number.
    /// - Throws: ``ScheduleError/full(limit:)``.
    mutating func put(_ entry: Entry) throws(ScheduleError) {
        guard slots[entry.id] != nil || count < limit else { throw .full(limit: limit) }
        nextNumber += 1
        place(entry)
    }

    /// Takes a schedule out. Nothing happens where there is none of that name.
    public mutating func cancel(_ id: String) -> [ScheduleEvent<Action>] {
        guard slots[id] != nil else { return [] }
        displace(id)
        return [.removed(id, .cancelled)]
    }

    /// Takes all of them out.
    public mutating func cancelAll() -> [ScheduleEvent<Action>] {
        entries.flatMap { cancel($0.id) }
    }

    /// Holds a schedule. What is left of an interval is kept; a date stays, and is overdue at the resumption if it has
    /// passed by then. Nothing happens where it is held by itself already.
    public mutating func pause(_ id: String, at now: Instant) -> [ScheduleEvent<Action>] {
        setPaused(true, id, at: now)
    }

    /// Lets a schedule go on; see ``pause(_:at:)``.
    public mutating func resume(_ id: String, at now: Instant) -> [ScheduleEvent<Action>] {
        setPaused(false, id, at: now)
    }

    /// Holds all of them; what is put in meanwhile is held, too.
    public mutating func pauseAll(at now: Instant) -> [ScheduleEvent<Action>] { setAllPaused(true, at: now) }

    /// Lets all of them go on that aren't held by themselves.
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
    /// Whether it is held, and how many schedules wait.
    public var description: String { "\(isPaused ? "Paused" : "Running"), \(count) pending" }
}
