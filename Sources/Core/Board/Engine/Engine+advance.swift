// Runs what is due: ends of motions, removals of expired tracks, firings, and their actions.

import Base
import Labels
package import Tween

extension Engine {
    /// Returns whether a motion has passed a milestone that was not published yet.
    package func reachesMilestone(at now: Instant) -> Bool { trackTable.reachesMilestone(at: now) }

    /// Returns the slots of motions that have passed such milestones, sorted.
    package func slotsReachingMilestones(at now: Instant) -> [Int] { trackTable.slotsReachingMilestones(at: now) }

    /// Publishes the milestones that a sampled track has passed.
    /// - Returns: The track's name if it passed some: the store must record them as published.
    @discardableResult
    package mutating func passMilestones(slot: Int, at now: Instant) -> ResourceName? {
        // An action for another track may have changed this one.
        guard trackTable.reachesMilestone(slot, at: now), var track = tracks[slot] else { return nil }
        let passed = track.passMilestones(at: now)
        let name = track.name
        place(track, changed: false)
        emit(passed.events)
        for list in passed.actions {
            // What is too much for this advance is done by the next ones.
            if exceedsBudget { performNext(list, by: name, at: now) } else { perform(list, by: name, at: now) }
        }
        return name
    }

    /// Ends a motion, or removes an expired track.
    mutating func stepTrack(at slot: Int, due: Instant) {
        guard let track = tracks[slot] else { return }
        if track.run != nil {
            completeRun(of: track.name, at: due)
        } else {
            removeTrack(at: slot, at: due)
        }
    }

    /// Fires a schedule, or removes one that ended long enough ago.
    mutating func stepSchedule(at slot: Int, due: Instant, by now: Instant) {
        guard var schedule = schedules[slot] else { return }
        let name = schedule.name
        guard !schedule.isEnded else {
            displaceSchedule(at: slot)
            return emit(.removed(name, .completed))
        }
        // A clock that was set may have moved it beyond its last date.
        guard !schedule.skips(at: schedule.due) else { return skip(schedule, at: now) }
        // Actions start at the due instant, so that a late tick doesn't delay what they start. After a pause or an outage
        // they start now.
        let start = now.seconds(since: due) < Self.lateness ? due : now
        let isCounted = actionRates.forget(slot)
        if !isCounted, let turn = actionRates.reserve(schedule.definition.actions, at: start) {
            // Late by its owner's rate; due again at the instant reserved for it, which may be now.
            guard turn <= now else { return postpone(slot, to: turn) }
        }
        let due = isCounted ? schedule.due : due
        let stays = schedule.advance(at: now) || schedule.end(at: start)
        if stays {
            place(schedule)
        } else {
            displaceSchedule(at: slot)
        }
        emit(.fired(name, due: due, count: schedule.fired))
        run(schedule.definition.actions, by: schedule.origin ?? name, at: start)
        // An action may have recreated it.
        if !stays, slots[name] == nil { emit(.removed(name, .completed)) }
    }

    /// The most seconds by which a firing can be late and still counts as on time.
    static let lateness = 0.25

    /// Completes a motion that takes no time.
    mutating func completeIfOver(_ name: ResourceName, at now: Instant) {
        guard let slot = slots[name], isOver(slot, at: now) else { return }
        completeRun(of: name, at: now)
    }

    /// Returns whether the run of a track that was just placed is at its end.
    func isOver(_ slot: Int, at now: Instant) -> Bool {
        guard let due = agenda.end(of: slot), due <= now else { return false }
        return tracks[slot]?.run != nil
    }

    /// Completes a motion that has arrived, and those of no time that wait behind it, before something else changes its
    /// number. Their actions run when they would have run otherwise, so chains of actions keep their pace and their order.
    /// Until then they wait as delayed actions do: a pause of all schedules holds them, and a removal of all drops them.
    mutating func completeArrived(_ name: ResourceName, at now: Instant) {
        guard name.kind != .schedule, let slot = slots[name] else { return }
        while tracks[slot]?.hasArrived(at: now) == true, let end = tracks[slot]?.run?.motion.end {
            let isInstant = end > now
            completeRun(
                of: name, at: now, actingAt: isInstant ? end : nextConsequence(after: now), isInstant: isInstant)
        }
    }

    /// - Parameters:
    ///   - actions: When the actions run; nil for now.
    ///   - isInstant: Whether only the pace of actions has kept it from being complete.
    private mutating func completeRun(
        of name: ResourceName, at due: Instant, actingAt actions: Instant? = nil, isInstant: Bool = false
    ) {
        guard var track = track(name) else { return }
        let passed = track.passMilestones(upTo: track.run.map { $0.motion.destination } ?? 0, at: due)
        emit(passed.events)
        guard var ended = track.complete(at: due) else { return }
        if isInstant { ended.isInstant = true }
        place(track)
        end(ended, passing: passed, of: name, at: due, actingAt: actions)
    }

    /// Reports an ended run, starts the next in the queue, and runs the actions of its last milestones and of the end.
    /// - Parameter actions: When the actions run; nil for now.
    mutating func end(
        _ ended: EndedRun, passing passed: PassedMilestones, of name: ResourceName, at now: Instant,
        actingAt actions: Instant? = nil
    ) {
        let left = track(name)
        if let left, left.isWatched, !left.waiting.isEmpty || ended.next != nil { keepForNextEvent(left) }
        finish(ended, of: name, by: now)
        startWaiting(on: name, at: now)
        for list in passed.actions + [ended.next].compactMap(\.self) {
            if let actions {
                performNext(list, by: name, at: now, due: actions)
            } else {
                perform(list, by: name, at: now)
            }
        }
    }

    /// Starts the first waiting update of a track without a run. One that has become impossible, since the label has changed,
    /// fails, and one that loses to the present target is cancelled without its actions; then the next one starts.
    private mutating func startWaiting(on name: ResourceName, at now: Instant) {
        guard var track = track(name), track.run == nil else { return }
        while let next = track.removeFirstWaiting() {
            let ending = Ending(animation: next.animation, reason: .cancelled, at: now, isInstant: true)
            guard !next.update.isBeaten(by: track.target) else {
                track.revision += 1
                emit(.complete(name, ending, track.reading(at: now)))
                place(track)
                continue
            }
            var started = track
            do throws(CommandError) {
                try started.start(next, planner: configuration.planner, at: now)
                return place(started)
            } catch {
                track.revision += 1
                emit(.failed(by: name, error))
                emit(.complete(name, ending, track.reading(at: now)))
                place(track)
                if let list = next.update.otherwise { performNext(list, by: name, at: now) }
            }
        }
    }

    mutating func finish(_ ended: EndedRun, of name: ResourceName, by now: Instant) {
        emit(
            .complete(
                name,
                Ending(animation: ended.run.animation, reason: ended.reason, at: now, isInstant: ended.isInstant),
                ended.reading))
    }
}
