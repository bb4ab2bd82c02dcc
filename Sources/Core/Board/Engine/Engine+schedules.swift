// Schedules: made, replaced, paused and resumed, one and all.

import Base
package import RecurrenceRules
package import Tween

extension Engine {
    mutating func schedule(
        _ name: ResourceName, _ definition: ScheduleDefinition, at now: Instant, expecting condition: Precondition?
    ) throws(CommandError) -> Acceptance {
        let known = self.schedule(name)
        try check(condition, against: known?.revision)
        var definition = compiled(definition)
        try definition.takeWords(from: configuration.planner)
        // Whoever repeats what waits wants it to be there, not to begin anew.
        if let known, known.definition.asksForTheSame(as: definition) {
            return Acceptance(revision: known.revision, unchanged: true)
        }
        let schedule = try Schedule(name: name, definition: definition, at: now)
        try rehearse(PlacedAction.all(in: definition.actions, at: "do"), at: now)
        try put(schedule, at: now)
        return Acceptance(created: known == nil, revision: (known?.revision ?? 0) + 1)
    }

    /// Makes the schedule of an action, unless the same one waits already.
    mutating func schedule(
        _ name: ResourceName, _ definition: ScheduleDefinition, noSoonerThan soonest: Instant, at now: Instant
    ) throws(CommandError) {
        var definition = compiled(definition)
        try definition.takeWords(from: configuration.planner)
        if let known = schedule(name), known.definition.asksForTheSame(as: definition) { return }
        try put(Schedule(name: name, definition: definition, at: now), noSoonerThan: soonest, at: now)
    }

    /// A definition by the calendars of this board: it may have been read by older ones.
    func compiled(_ definition: ScheduleDefinition) -> ScheduleDefinition {
        guard let rules = configuration.rules else { return definition }
        var definition = definition
        definition.plan = definition.plan.compiled(by: rules)
        return definition
    }

    /// Goes by rules of the time zones by which every date was found already.
    package mutating func compile(by rules: any CalendarRules) {
        configuration.rules = rules
        for slot in schedules.indices {
            guard var schedule = schedules[slot] else { continue }
            schedule.definition = compiled(schedule.definition)
            replace(schedule, at: slot)
        }
    }

    /// Goes by other rules of the time zones from now on: a date that a schedule waits for keeps its time on the clocks. What
    /// has passed by them is due at once.
    package mutating func follow(_ rules: any CalendarRules, at now: Instant) {
        configuration.rules = rules
        finishSweep()
        for slot in schedules.indices {
            guard var schedule = schedules[slot] else { continue }
            let isMoved = schedule.follow(rules, at: now)
            replace(schedule, at: slot)
            guard isMoved else { continue }
            if !isHeld(schedule), schedule.leavesOut(at: now) {
                leaveOut(schedule, at: now)
            } else {
                place(schedule)
            }
        }
    }

    /// Puts a new schedule in place, or one that replaces another. It has its words.
    mutating func put(
        _ made: Schedule, noSoonerThan soonest: Instant? = nil, at now: Instant
    ) throws(CommandError) {
        let known = schedule(made.name)
        guard known != nil || pendingSchedules < configuration.maximumSchedules else {
            throw .boardFull(.schedule, limit: configuration.maximumSchedules)
        }
        var schedule = made
        schedule.revision = (known?.revision ?? 0) + 1
        if let soonest { schedule.firing.postpone(to: soonest) }
        if schedulesPaused { schedule.firing.hold(at: now) }
        try admit(schedule)
        place(schedule)
        emit(.scheduled(schedule.name, due: schedule.due))
    }

    mutating func setPaused(
        _ isPaused: Bool, schedule name: ResourceName, at now: Instant, expecting condition: Precondition?
    ) throws(CommandError) -> Acceptance {
        guard let slot = slots[name], let known = schedules[slot] else { throw .notFound(name) }
        // What holds for all since an earlier instant comes first.
        if let sweep = pauses.sweep, sweep.kind != .removal { settle(known, at: slot, at: sweep.since) }
        guard var schedule = schedule(name) else { throw .notFound(name) }
        try check(condition, against: schedule.revision)
        guard schedule.isPaused != isPaused else { return Acceptance(revision: schedule.revision) }
        schedule.isPaused = isPaused
        schedule.revision += 1
        emit(isPaused ? .paused(name) : .resumed(name))
        settle(schedule, at: slot, at: now)
        return Acceptance(revision: schedule.revision)
    }

    /// Takes the change under way to its end, whatever that takes.
    mutating func finishSweep() {
        while isSweeping { continueSweep() }
    }

    /// Holds or releases a schedule as the pauses in force say.
    mutating func settle(_ schedule: Schedule, at slot: Int, at now: Instant) {
        var schedule = schedule
        schedule.firing.settle(isHeld: isHeld(schedule), at: now)
        if !isHeld(schedule), schedule.leavesOut(at: now) {
            leaveOut(schedule, at: now)
        } else {
            place(schedule)
        }
    }

    /// Leaves out what a schedule missed: it goes on with its next date, and goes where it has none.
    mutating func leaveOut(_ known: Schedule, at now: Instant) {
        var schedule = known
        let goesOn = schedule.skipMissed(at: now)
        if goesOn {
            place(schedule)
        } else if let slot = slots[known.name] {
            displaceSchedule(at: slot)
        } else {
            markChanged(known.name)
        }
        emit(.skipped(known.name, due: known.due, next: goesOn ? schedule.due : nil))
        if !goesOn { emit(.removed(known.name, .skipped)) }
    }
}
