// Everything that exists and everything that is due: the deterministic state machine
// (state, command, instant) -> (state, events). No thread, no clock, no I/O; one owner.

package import Base
package import Tween

/// The board's state machine.
package struct Engine {
    /// A limit may be set anew at any time; what is there stays, also beyond it.
    package var configuration: Configuration
    /// Slots of resources by name.
    private(set) var slots = BoardNames()
    private(set) var trackTable = TrackTable()
    private(set) var scheduleTable = ScheduleTable()
    private(set) var pauses: SchedulePauses
    private(set) var agenda = Agenda()
    private var news = BoardNews()
    private var delayedActionNames = DelayedActionNames()
    /// A list of actions is being carried out.
    private var isPerforming = false

    package init(configuration: Configuration) {
        self.configuration = configuration
        pauses = SchedulePauses(SchedulePause())
    }

    /// A board that is to adopt what was stored.
    /// - Parameters:
    ///   - trackCount: How many tracks will come: a hundred thousand would be moved with every growth otherwise.
    ///   - scheduleCount: How many schedules.
    package init(configuration: Configuration, schedulePause: SchedulePause, trackCount: Int, scheduleCount: Int) {
        self.configuration = configuration
        pauses = SchedulePauses(schedulePause)
        trackTable.reserveCapacity(trackCount)
        scheduleTable.reserveCapacity(scheduleCount)
        slots.reserveCapacity(trackCount + scheduleCount)
    }

    // MARK: - News

    /// Takes the events since the last call, in order.
    package mutating func takeEvents() -> [BoardEvent] { news.takeEvents() }

    /// Tracks as their motions left them, by the index of the ending's event: those that are watched and may have changed since.
    package var endedTracks: [Int: Track] { news.endedTracks }

    /// Takes the names of resources that changed since the last call, each once: what is to be stored.
    package mutating func takeChanges() -> [ResourceName] { news.takeChanges() }

    mutating func emit(_ event: BoardEvent) {
        agenda.count(event)
        news.append(event)
    }

    /// Keeps a track as it is for the event that is emitted next.
    mutating func keepForNextEvent(_ track: Track) { news.keep(track) }

    mutating func emit(_ events: [BoardEvent]) {
        for event in events { emit(event) }
    }

    mutating func markChanged(_ name: ResourceName) { news.markChanged(name) }

    // MARK: - Tracks

    /// Puts a track in place: new ones get a slot; agenda and samples follow its state.
    mutating func place(_ track: consuming Track, changed: Bool = true) {
        let known = slots[track.name]
        place(track, at: known, changed: changed)
    }

    /// The same where its slot has been looked up; nil for a new one.
    /// - Returns: Its slot.
    @discardableResult
    mutating func place(_ track: consuming Track, at known: Int?, changed: Bool = true) -> Int {
        let (name, due) = (track.name, track.due)
        let slot = trackTable.place(track, at: known)
        if known == nil { slots.insert(name, at: slot) }
        agenda.setEnd(slot, due: due)
        if changed { markChanged(name) }
        return slot
    }

    mutating func displaceTrack(at slot: Int) {
        guard let name = trackTable[slot]?.name else { return }
        agenda.setEnd(slot, due: nil)
        trackTable.remove(at: slot)
        slots.remove(name)
        markChanged(name)
    }

    /// Tells the board whether anybody listens to a track here: unwatched ones are not sampled.
    package mutating func setWatched(_ isWatched: Bool, slot: Int) {
        if trackTable.setWatched(isWatched, at: slot) { agenda.setEnd(slot, due: trackTable[slot]?.due) }
    }

    /// Tells the board whether anybody listens to a track, wherever that is: those that nobody hears may age.
    package mutating func setHasSubscribers(_ hasSubscribers: Bool, slot: Int, at now: Instant) {
        guard trackTable.setHasSubscribers(hasSubscribers, at: slot, now: now) else { return }
        agenda.setEnd(slot, due: trackTable[slot]?.due)
    }

    /// Takes samples of all moving tracks that are watched or wait for a milestone, in the order of `sampled`.
    package mutating func takeSamples(at now: Instant, into samples: inout [Sample]) {
        trackTable.takeSamples(at: now, into: &samples)
    }

    // MARK: - Schedules

    mutating func place(_ schedule: Schedule, changed: Bool = true) {
        let known = slots[schedule.name]
        let slot = scheduleTable.place(schedule, at: known)
        if known == nil { slots.insert(schedule.name, at: slot) }
        agenda.setFiring(slot, due: due(schedule))
        if changed { markChanged(schedule.name) }
    }

    mutating func displaceSchedule(at slot: Int) {
        guard let name = scheduleTable[slot]?.name else { return }
        agenda.setFiring(slot, due: nil)
        scheduleTable.remove(at: slot)
        slots.remove(name)
        markChanged(name)
    }

    /// Has a schedule go by other calendars, by which it is due when it was.
    mutating func replace(_ schedule: Schedule, at slot: Int) { scheduleTable.replace(schedule, at: slot) }

    /// When a schedule is due by its own state and the pauses in force.
    private func due(_ schedule: Schedule) -> Instant? {
        isHeld(schedule) || schedule.remaining != nil ? nil : schedule.due
    }

    /// A name for the schedule of an action that waits for its time.
    mutating func nextNameOfDelayedAction() -> ResourceName { delayedActionNames.next(besides: slots) }

    /// Has names to come follow one that a store kept.
    mutating func recordName(ofDelayedAction name: ResourceName) { delayedActionNames.follow(name) }

    // MARK: - Changes to all schedules

    mutating func setAllPaused(_ isPaused: Bool, at now: Instant) {
        guard schedulesPaused != isPaused else { return }
        finishSweep()
        pauses.set(isPaused, at: now, end: schedules.count)
        emit(isPaused ? .paused(nil) : .resumed(nil))
        continueSweep()
    }

    mutating func removeAllSchedules(at now: Instant) {
        finishSweep()
        pauses.beginRemoval(at: now, end: schedules.count)
        continueSweep()
    }

    /// Goes on with the change under way, for as many schedules as one call takes.
    package mutating func continueSweep() {
        guard let sweep = pauses.sweep else { return }
        var count = 0
        while count < configuration.maximumSchedulesPerSweep, let slot = pauses.takeSlot() {
            guard let schedule = scheduleTable[slot] else { continue }
            count += 1
            switch sweep.kind {
            case .pause, .resumption:
                settle(schedule, at: slot, at: sweep.since)
            case .removal:
                displaceSchedule(at: slot)
                emit(.removed(schedule.name, .cancelled))
            }
        }
    }

    /// Lets those live that are not removed yet.
    package mutating func cancelRemoval() { pauses.cancelRemoval() }

    /// Has the last pause or resumption of all look at all schedules again.
    mutating func repeatSweep(at now: Instant) { pauses.repeatPause(at: now, end: schedules.count) }

    /// Sets back whether all schedules are paused; schedules that were not stored since follow by and by.
    package mutating func restore(_ pause: SchedulePause, at now: Instant) {
        let known = schedulePause
        guard pause != known else { return }
        pauses.replace(by: pause, at: now, end: schedules.count)
        if pause.isPaused != known.isPaused { emit(pause.isPaused ? .paused(nil) : .resumed(nil)) }
    }

    /// The instant of the last pause is told so much later than before.
    mutating func shiftPause(byNanoseconds nanoseconds: Int64) { pauses.shift(byNanoseconds: nanoseconds) }

    // MARK: - What is due

    /// Carries out what is due by `now`, in the order it fell due, each at its own instant. What one call leaves over goes
    /// by turns in the next: ends and firings share the work, and of either whoever was given least comes first.
    /// - Returns: Whether all of it is done; false when a call's work was used up: call again.
    @discardableResult
    package mutating func advance(to now: Instant) -> Bool {
        agenda.begin()
        if agenda.isBehind {
            let (tracks, schedules) = (tracks, schedules)
            agenda.queueUp(
                dueBy: now, limit: configuration.maximumQueuedPerAdvance, isPaused: schedulesPaused,
                endWork: { AdvanceWork.expected(tracks[$0]?.run?.then) },
                firingWork: { AdvanceWork.expected(schedules[$0]?.definition.actions) })
        }
        while (nextDue ?? Instant(nanoseconds: .max)) <= now {
            guard !agenda.work.exceeds(configuration) else {
                agenda.fallBehind()
                return false
            }
            let turn = agenda.next(by: now, isPaused: schedulesPaused)
            if let (slot, due) = turn.entry {
                if turn.isEnd { stepTrack(at: slot, due: due) } else { stepSchedule(at: slot, due: due, by: now) }
            }
            agenda.charge(turn)
        }
        agenda.catchUp()
        return true
    }

    /// Carries out a list of actions; what of it can't be done is reported.
    mutating func perform(_ list: ActionList, by name: ResourceName, at now: Instant) {
        guard !isPerforming else { return performNext(list, by: name, at: now) }
        isPerforming = true
        defer { isPerforming = false }
        agenda.count(actions: list.actions.count)
        for action in list.actions {
            do throws(CommandError) {
                try perform(action, by: name, at: now)
            } catch {
                emit(.failed(by: name, error))
            }
        }
    }

    // MARK: - Snapshots

    /// Puts a resource on its seat, as it was: nothing follows from it.
    package mutating func insert(_ resource: Resource, at slotEntry: SlotEntry) {
        switch resource {
        case .track(var track):
            track.hasSubscribers = slotEntry.hasSubscribers
            slots.insert(track.name, at: slotEntry.slot)
            trackTable.seat(track, at: slotEntry)
        case .schedule(var schedule):
            try? schedule.definition.takeWords(from: configuration.planner)
            slots.insert(schedule.name, at: slotEntry.slot)
            scheduleTable.seat(schedule, at: slotEntry)
        }
    }

    /// Appends what it keeps beside its resources. Between two turns: nobody is owed an event then.
    package func writeBooks(to writer: inout ByteWriter) {
        pauses.write(to: &writer)
        writer.count(delayedActionNames.last)
        writer.flag(agenda.isBehind)
        trackTable.writeNumbers(to: &writer)
        scheduleTable.writeNumbers(to: &writer)
        agenda.write(to: &writer, end: { trackTable[$0]?.due }, firing: { scheduleTable[$0].flatMap(due) })
    }

    /// Takes back what `writeBooks` wrote, when all resources are seated.
    package mutating func readBooks(from reader: inout ByteReader) throws(ByteReader.Damage) {
        pauses = try SchedulePauses(from: &reader)
        delayedActionNames = DelayedActionNames(last: try reader.count())
        let isBehind = try reader.flag()
        try trackTable.readNumbers(from: &reader)
        try scheduleTable.readNumbers(from: &reader)
        agenda = try Agenda(
            from: &reader, isBehind: isBehind, ends: tracks.map { $0?.due }, firings: schedules.map { $0.flatMap(due) })
    }
}
