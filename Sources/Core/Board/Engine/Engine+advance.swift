// What falls due: ends of motions, removals for age, firings; and the actions they set off.

import Labels
package import Tween

extension Engine {
    /// Carries out what is due by `now`, in the order it fell due, each at its own instant. What one call leaves over goes
    /// by turns in the next: ends and firings share the work, and of either whoever was given least comes first.
    /// - Returns: Whether all of it is done; false when a call's work was used up: call again.
    @discardableResult
    package mutating func advance(to now: Instant) -> Bool {
        work = AdvanceWork()
        if isBehind {
            let limit = configuration.maximumQueuedPerAdvance
            let (tracks, schedules) = (tracks, schedules)
            trackTimetable.queueUp(dueBy: now, limit: limit) { AdvanceWork.expected(tracks[$0]?.run?.then) }
            if !schedulesPaused {
                scheduleTimetable.queueUp(dueBy: now, limit: limit) {
                    AdvanceWork.expected(schedules[$0]?.definition.actions)
                }
            }
        }
        var (ends, firings) = (0, 0)
        while (nextDue ?? Instant(nanoseconds: .max)) <= now {
            guard !work.exceeds(configuration) else {
                isBehind = true
                return false
            }
            let before = work.total
            if isEndNext(by: now, endsHadLess: ends <= firings) {
                let slot = stepTrack(by: now)
                ends += work.total - before
                if isBehind, let slot { trackTimetable.charge(slot, work.total - before) }
            } else {
                let slot = stepSchedule(by: now)
                firings += work.total - before
                if isBehind, let slot { scheduleTimetable.charge(slot, work.total - before) }
            }
        }
        if isBehind {
            trackTimetable.catchUp()
            scheduleTimetable.catchUp()
            isBehind = false
        }
        return true
    }

    /// Whether an end is next, not a firing; one of them is due.
    private func isEndNext(by now: Instant, endsHadLess: Bool) -> Bool {
        let track = trackTimetable.first ?? Instant(nanoseconds: .max)
        let schedule = nextFiring ?? Instant(nanoseconds: .max)
        return isBehind && max(track, schedule) <= now ? endsHadLess : track <= schedule
    }

    /// Whether a milestone is passed by now that was not told.
    package func reachesMilestone(at now: Instant) -> Bool {
        slotsWithMilestones.contains { slot in
            guard let track = tracks[slot], let run = track.run else { return false }
            let value = track.value(at: now)
            let (low, high) = (min(run.lastValue, value), max(run.lastValue, value))
            return run.milestones.contains { low <= $0.double && $0.double <= high }
        }
    }

    /// Looks at the milestones of a sampled track.
    /// - Returns: The track's name where it passed some: they are to be stored as told.
    @discardableResult
    package mutating func passMilestones(slot: Int, at now: Instant) -> ResourceName? {
        guard var track = tracks[slot], let run = track.run, !run.milestones.isEmpty else { return nil }
        emit(track.passMilestones(at: now))
        let hasPassed = track.run?.milestones.count != run.milestones.count
        place(track, changed: false)
        return hasPassed ? track.name : nil
    }

    /// - Returns: The slot whose turn it was.
    private mutating func stepTrack(by now: Instant) -> Int? {
        work.steps += 1
        guard let (slot, due) = trackTimetable.next(dueBy: now), let track = tracks[slot] else { return nil }
        if track.run != nil {
            completeRun(of: track.name, at: due)
        } else {
            removeTrack(at: slot, at: due)
        }
        return slot
    }

    /// - Returns: The slot whose turn it was.
    private mutating func stepSchedule(by now: Instant) -> Int? {
        work.steps += 1
        guard let (slot, due) = scheduleTimetable.next(dueBy: now), var schedule = schedules[slot] else { return nil }
        let name = schedule.name
        let goesOn = schedule.advance(at: now)
        if goesOn {
            place(schedule)
        } else {
            displaceSchedule(at: slot)
        }
        emit(.fired(name, due: due, count: schedule.fired))
        // Actions start at the instant that was due, so that what a late tick sets off is not late as well; after a
        // pause or an outage they start now.
        let start = now.seconds(since: due) < Self.lateness ? due : now
        perform(schedule.definition.actions, by: schedule.origin ?? name, at: start)
        // An action may have made it anew.
        if !goesOn, slots[name] == nil { emit(.removed(name, .completed)) }
        return slot
    }

    /// Seconds up to which a firing counts as being on time.
    static let lateness = 0.25

    /// Completes a motion that takes no time.
    mutating func completeIfOver(_ name: ResourceName, at now: Instant) {
        guard let slot = slots[name], isOver(slot, at: now) else { return }
        completeRun(of: name, at: now)
    }

    /// Whether the run of a track that was just put in place is at its end.
    func isOver(_ slot: Int, at now: Instant) -> Bool {
        guard let due = trackTimetable.due(of: slot), due <= now else { return false }
        return tracks[slot]?.run != nil
    }

    mutating func completeRun(of name: ResourceName, at due: Instant) {
        guard var track = track(name) else { return }
        emit(track.passMilestones(upTo: track.run.map { $0.motion.destination } ?? 0))
        guard let ended = track.complete(at: due) else { return }
        place(track)
        end(ended, of: name, at: due)
    }

    /// Reports an ended run, starts what waited for it, performs what its end sets off.
    mutating func end(_ ended: EndedRun, of name: ResourceName, at now: Instant) {
        let left = track(name)
        if let left, left.isWatched, !left.waiting.isEmpty || ended.next != nil { keepForNextEvent(left) }
        finish(ended, of: name, by: now)
        if var track = left, track.run == nil {
            do throws(CommandError) {
                let started = try track.startWaiting(planner: configuration.planner, at: now)
                if started != nil { place(track) }
            } catch {
                emit(.failed(by: name, error))
            }
        }
        if let next = ended.next { perform(next, by: name, at: now) }
    }

    mutating func finish(_ ended: EndedRun, of name: ResourceName, by now: Instant) {
        emit(
            .complete(
                name,
                Ending(animation: ended.run.animation, reason: ended.reason, at: now, isInstant: ended.isInstant),
                ended.reading))
    }
}
