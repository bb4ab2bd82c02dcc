// Makes, replaces, pauses and resumes schedules.

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
        try definition.setWords(from: configuration.planner)
        // A repeated request must not restart the waiting schedule.
        if let known, known.waits(for: definition) {
            return Acceptance(revision: known.revision, unchanged: true)
        }
        let schedule = try Schedule(name: name, definition: definition, at: now)
        try rehearse(PlacedAction.all(in: definition.actions, at: "do"), at: now)
        try put(schedule, at: now)
        return Acceptance(created: known == nil, revision: (known?.revision ?? 0) + 1)
    }

    /// Makes the schedule of an action, unless an equal one is already waiting.
    mutating func schedule(
        _ name: ResourceName, _ definition: ScheduleDefinition, noSoonerThan soonest: Instant, at now: Instant
    ) throws(CommandError) {
        var definition = compiled(definition)
        try definition.setWords(from: configuration.planner)
        if let known = schedule(name), known.waits(for: definition) { return }
        try put(Schedule(name: name, definition: definition, at: now), noSoonerThan: soonest, at: now)
    }

    /// Compiles a definition with this board's calendar rules; it may have been read with older ones.
    func compiled(_ definition: ScheduleDefinition) -> ScheduleDefinition {
        guard let rules = configuration.rules else { return definition }
        var definition = definition
        definition.plan = definition.plan.compiled(by: rules)
        return definition
    }

    /// Sets calendar rules by which all due dates were already computed.
    package mutating func compile(by rules: any CalendarRules) {
        configuration.rules = rules
        for slot in schedules.indices {
            guard var schedule = schedules[slot] else { continue }
            schedule.definition = compiled(schedule.definition)
            replace(schedule, at: slot)
        }
    }

    /// Replaces the calendar rules. A waiting schedule keeps its local time. If that has passed by the new rules, it is due
    /// at once.
    package mutating func adopt(_ rules: any CalendarRules, at now: Instant) {
        configuration.rules = rules
        finishSweep()
        for slot in schedules.indices {
            guard var schedule = schedules[slot] else { continue }
            guard schedule.adopt(rules, at: now) else {
                replace(schedule, at: slot)
                continue
            }
            if !isHeld(schedule), schedule.skips(at: now) {
                skip(schedule, at: now)
            } else {
                place(schedule)
            }
        }
    }

    /// Places a new schedule or a replacement. Its locale's words are already set.
    /// - Returns: Its slot.
    @discardableResult
    mutating func put(
        _ made: Schedule, noSoonerThan soonest: Instant? = nil, at now: Instant
    ) throws(CommandError) -> Int {
        let known = schedule(made.name)
        guard known != nil || pendingSchedules < configuration.maximumSchedules else {
            throw .boardFull(.schedule, limit: configuration.maximumSchedules)
        }
        var schedule = made
        schedule.revision = (known?.revision ?? 0) + 1
        if let soonest { schedule.firing.postpone(to: soonest) }
        if schedulesPaused { schedule.firing.hold(at: now) }
        try admit(schedule)
        // Other actions are counted again.
        if let slot = slots[schedule.name] { actionRates.forget(slot) }
        let slot = place(schedule)
        emit(.scheduled(schedule.name, due: schedule.due))
        return slot
    }

    mutating func setPaused(
        _ isPaused: Bool, schedule name: ResourceName, at now: Instant, expecting condition: Precondition?
    ) throws(CommandError) -> Acceptance {
        guard let slot = slots[name], let known = schedules[slot] else { throw .notFound(name) }
        // Apply a change to all schedules first: it has an earlier instant.
        if let sweep = pauses.sweep, sweep.kind != .removal { settle(known, at: slot, at: sweep.since) }
        guard var schedule = schedule(name) else { throw .notFound(name) }
        try check(condition, against: schedule.revision)
        // A track at rest accepts both without effect, too.
        guard schedule.isPaused != isPaused, !schedule.isEnded else { return Acceptance(revision: schedule.revision) }
        schedule.isPaused = isPaused
        schedule.revision += 1
        emit(isPaused ? .paused(name) : .resumed(name))
        settle(schedule, at: slot, at: now)
        return Acceptance(revision: schedule.revision)
    }

    /// Finishes the change in progress, however long it takes.
    mutating func finishSweep() {
        while isSweeping { continueSweep() }
    }

    /// Holds or releases a schedule according to the current pauses.
    mutating func settle(_ schedule: Schedule, at slot: Int, at now: Instant) {
        var schedule = schedule
        schedule.firing.settle(isHeld: isHeld(schedule), at: now)
        if !isHeld(schedule), schedule.skips(at: now) {
            skip(schedule, at: now)
        } else {
            place(schedule)
        }
    }

    /// Skips what a schedule missed. It continues with its next date; without one it has ended.
    mutating func skip(_ known: Schedule, at now: Instant) {
        var schedule = known
        let goesOn = schedule.skipMissed(at: now)
        let stays = goesOn || schedule.end(at: now)
        if stays {
            place(schedule)
        } else if let slot = slots[known.name] {
            displaceSchedule(at: slot)
        } else {
            markChanged(known.name)
        }
        emit(.skipped(known.name, due: known.due, next: goesOn ? schedule.due : nil))
        if !stays { emit(.removed(known.name, .skipped)) }
    }
}
