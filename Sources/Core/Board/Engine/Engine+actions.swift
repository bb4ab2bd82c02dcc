// Runs actions, one list at a time. An action can end a motion that has actions of its own: `perform(_:by:at:)` of a list
// makes them a schedule while another list runs. So no chain of actions runs in one go, however long it is, and the work limit
// of one `advance` counts them all.

import Base
import Labels
import RecurrenceRules
import Tween

extension Engine {
    /// Schedules a list of actions.
    /// - Parameter due: When it runs; nil for the shortest delay of actions (`shortestActionMotion`).
    mutating func performNext(_ list: ActionList, by name: ResourceName, at now: Instant, due: Instant? = nil) {
        do throws(CommandError) {
            try delay(
                Self.definition(for: list), by: name, at: now, noSoonerThan: due ?? nextConsequence(after: now))
        } catch {
            emit(.failed(by: name, error))
        }
    }

    /// Schedules a list of actions that is counted already to run at the instant reserved for it.
    /// - Returns: false if there is no room: the list must run now.
    mutating func performLate(_ list: ActionList, by name: ResourceName, at now: Instant, turn: Instant) -> Bool {
        do throws(CommandError) {
            let slot = try delay(
                Self.definition(for: list), by: name, at: now, noSoonerThan: soonest(after: now))
            postpone(slot, to: turn)
            return true
        } catch {
            return false
        }
    }

    private static func definition(for list: ActionList) -> ScheduleDefinition {
        var definition = ScheduleDefinition(
            actions: list, source: Array(#"{"in":0,"do":"#.utf8) + list.source + Array("}".utf8))
        definition.plan.first = .after(0)
        return definition
    }

    mutating func perform(_ action: Action, by name: ResourceName, at now: Instant) throws(CommandError) {
        switch action {
        case .notify(let notification, let data): emit(.notification(name: notification, data: data, by: name))
        case .webhook(let url, let data): emit(.webhook(url: url, data: data, by: name))
        case .later(let definition):
            try delay(definition, by: name, at: now, noSoonerThan: soonest(after: now))
        case .command(.update(let target, let update)): try start(update, on: target, by: name, at: now)
        case .command(.schedule(let target, let definition)):
            try schedule(target, definition, noSoonerThan: soonest(after: now), at: now)
        case .command(let command): _ = try apply(command, at: now)
        }
    }

    /// Returns the earliest instant at which a motion started by an action may end, or a schedule made by one may fire.
    private func soonest(after now: Instant) -> Instant {
        now.advanced(bySeconds: configuration.shortestActionMotion)
    }

    /// The same for what keeps the order of the actions: each is later than the one before.
    mutating func nextConsequence(after now: Instant) -> Instant {
        agenda.place(notBefore: soonest(after: now))
    }

    private mutating func start(
        _ update: TrackUpdate, on name: ResourceName, by origin: ResourceName, at now: Instant
    ) throws(CommandError) {
        completeArrived(name, at: now)
        var update = update
        var track = try self.track(name, madeFor: update, at: now)
        // The end of a motion could start it again forever; a schedule says how often.
        update.declinesActions = origin.kind != .schedule
        let lead = try lead(of: update, on: name, at: now)
        let passed = track.passMilestones(at: now)
        let outcome = try track.update(update, lead: lead, planner: configuration.planner, at: now)
        guard !outcome.unchanged else { return }
        try admit(track)
        // What was cut off is followed up before what cut it off.
        let hasActions = !passed.actions.isEmpty || outcome.ended?.next != nil
        let due = hasActions ? nextConsequence(after: now) : nil
        if outcome.startsMotion { track.postponeCompletion(to: nextConsequence(after: now), at: now) }
        place(track)
        emit(passed.events)
        // Not now: a list of actions is running.
        for list in passed.actions { performNext(list, by: name, at: now, due: due) }
        guard let ended = outcome.ended else { return }
        finish(ended, of: name, by: now)
        if let next = ended.next { performNext(next, by: name, at: now, due: due) }
    }

    // MARK: - Actions that wait

    /// - Returns: The slot of its schedule.
    @discardableResult
    private mutating func delay(
        _ definition: ScheduleDefinition, by origin: ResourceName, at now: Instant, noSoonerThan soonest: Instant
    ) throws(CommandError) -> Int {
        let limit = configuration.maximumDelayedActions
        guard delayedActionCount < limit else {
            throw .conflict(reason: "\(limit) actions are already waiting for their time")
        }
        var schedule = try Schedule(name: nextNameOfDelayedAction(), definition: definition, at: now)
        schedule.origin = origin
        return try put(schedule, noSoonerThan: soonest, at: now)
    }
}
