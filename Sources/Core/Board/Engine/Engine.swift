// All resources and all that is due: a deterministic state machine (state, command, instant) -> (state, events). No thread,
// no clock, no I/O; one owner.

package import Base
package import Tween

/// The board's state machine.
package struct Engine {
    /// Limits may change at any time; resources beyond a new limit stay.
    package var configuration: Configuration
    private(set) var slots = BoardNames()
    private(set) var trackTable = TrackTable()
    private(set) var scheduleTable = ScheduleTable()
    private(set) var pauses: SchedulePauses
    var agenda = Agenda()
    private var news = BoardNews()
    private var delayedActionNames = DelayedActionNames()
    var actionRates = ActionRates(rate: 0)
    /// Whether a list of actions is running.
    private(set) var isPerforming = false

    package init(configuration: Configuration) {
        self.configuration = configuration
        pauses = SchedulePauses(SchedulePause())
    }

    /// Makes a board for stored resources.
    /// - Parameters:
    ///   - trackCount: How many tracks to reserve room for: otherwise each growth would move a hundred thousand.
    ///   - scheduleCount: How many schedules to reserve room for.
    package init(configuration: Configuration, schedulePause: SchedulePause, trackCount: Int, scheduleCount: Int) {
        self.configuration = configuration
        pauses = SchedulePauses(schedulePause)
        trackTable.reserveCapacity(trackCount)
        scheduleTable.reserveCapacity(scheduleCount)
        slots.reserveCapacity(trackCount + scheduleCount)
    }

    // MARK: - News

    /// Removes and returns the events since the last call, in order.
    package mutating func drainEvents() -> [BoardEvent] { news.drainEvents() }

    /// Tracks as they were when their motions ended, by the index of the event: watched ones that may have changed since.
    package var endedTracks: [Int: Track] { news.endedTracks }

    /// Removes and returns the names of resources that changed since the last call, each once. They are to be stored.
    package mutating func drainChanges() -> [ResourceName] { news.drainChanges() }

    mutating func emit(_ event: BoardEvent) {
        agenda.count(event)
        news.append(event)
    }

    /// Keeps a track in its present state for the event that is emitted next.
    mutating func keepForNextEvent(_ track: Track) { news.keep(track) }

    mutating func emit(_ events: [BoardEvent]) {
        for event in events { emit(event) }
    }

    mutating func markChanged(_ name: ResourceName) { news.markChanged(name) }

    // MARK: - Tracks

    /// Places a track, a new one in a new slot, and updates its due instant and samples.
    mutating func place(_ track: consuming Track, changed: Bool = true) {
        let known = slots[track.name]
        place(track, at: known, changed: changed)
    }

    /// The same with a known slot; nil for a new track.
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

    /// Sets whether a track has subscribers on this node: others are not sampled. What is due doesn't depend on it, nor does
    /// the order of what is overdue, which is the same on every node.
    package mutating func setWatched(_ isWatched: Bool, slot: Int) { trackTable.setWatched(isWatched, at: slot) }

    /// Sets whether a track has subscribers on any node: others may expire.
    package mutating func setHasSubscribers(_ hasSubscribers: Bool, slot: Int, at now: Instant) {
        guard trackTable.setHasSubscribers(hasSubscribers, at: slot, now: now) else { return }
        agenda.setEnd(slot, due: trackTable[slot]?.due)
    }

    /// Samples all moving tracks that are watched or have a milestone ahead, in the order of `sampled`.
    package mutating func sample(at now: Instant, into samples: inout [Sample]) {
        trackTable.sample(at: now, into: &samples)
    }

    /// Whether a sample's track has not changed since.
    package func isCurrent(_ sample: Sample) -> Bool { trackTable.isCurrent(sample) }

    // MARK: - Schedules

    /// Places a schedule, a new one in a new slot, and updates its due instant.
    /// - Returns: Its slot.
    @discardableResult
    mutating func place(_ schedule: Schedule, changed: Bool = true) -> Int {
        let known = slots[schedule.name]
        let slot = scheduleTable.place(schedule, at: known)
        if known == nil { slots.insert(schedule.name, at: slot) }
        agenda.setFiring(slot, due: actionRates.due(slot, of: due(schedule)))
        if changed { markChanged(schedule.name) }
        return slot
    }

    mutating func displaceSchedule(at slot: Int) {
        guard let name = scheduleTable[slot]?.name else { return }
        agenda.setFiring(slot, due: nil)
        actionRates.forget(slot)
        scheduleTable.remove(at: slot)
        slots.remove(name)
        markChanged(name)
    }

    /// Replaces a schedule by one compiled with other calendar rules that is due at the same instant.
    mutating func replace(_ schedule: Schedule, at slot: Int) { scheduleTable.replace(schedule, at: slot) }

    /// Returns when a schedule is due by its own state and the current pauses.
    private func due(_ schedule: Schedule) -> Instant? {
        isHeld(schedule) || schedule.remaining != nil ? nil : schedule.due
    }

    /// Makes a schedule fire later than it is due by its own state, at the instant reserved for its actions.
    mutating func postpone(_ slot: Int, to turn: Instant) {
        guard let schedule = scheduleTable[slot] else { return }
        actionRates.postpone(slot, schedule.definition.actions, to: turn)
        agenda.setFiring(slot, due: actionRates.due(slot, of: due(schedule)))
    }

    /// Replaces the rate of actions. Rates start again: late firings are due at once.
    package mutating func setActionRate(_ rate: Int) {
        guard rate != actionRates.rate else { return }
        let late = actionRates.lateSlots
        actionRates = ActionRates(rate: rate)
        for slot in late { agenda.setFiring(slot, due: scheduleTable[slot].flatMap(due)) }
    }

    /// Shifts the instants reserved for late firings when the clock is set.
    mutating func shiftActionRates(byNanoseconds nanoseconds: Int64) {
        actionRates.shift(byNanoseconds: nanoseconds)
        for slot in actionRates.lateSlots {
            agenda.setFiring(slot, due: actionRates.due(slot, of: scheduleTable[slot].flatMap(due)))
        }
    }

    /// Returns a name for the schedule of a delayed action.
    mutating func nextNameOfDelayedAction() -> ResourceName { delayedActionNames.next(besides: slots) }

    /// Continues after a name from the store.
    mutating func recordName(ofDelayedAction name: ResourceName) { delayedActionNames.resume(name) }

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

    /// Continues the change in progress, with as many schedules as one call handles.
    package mutating func continueSweep() {
        guard let sweep = pauses.sweep else { return }
        var count = 0
        while count < configuration.maximumSchedulesPerSweep, let slot = pauses.nextSlot() {
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

    /// Cancels the removal of those not removed yet.
    package mutating func cancelRemoval() { pauses.cancelRemoval() }

    /// Applies the last pause or resumption to all schedules again.
    mutating func repeatSweep(at now: Instant) { pauses.repeatPause(at: now, end: schedules.count) }

    /// Restores whether all schedules are paused. Schedules stored before that follow in later sweeps.
    package mutating func restore(_ pause: SchedulePause, at now: Instant) {
        let known = schedulePause
        guard pause != known else { return }
        pauses.replace(by: pause, at: now, end: schedules.count)
        if pause.isPaused != known.isPaused { emit(pause.isPaused ? .paused(nil) : .resumed(nil)) }
    }

    /// Shifts the instant of the last pause.
    mutating func shiftPause(byNanoseconds nanoseconds: Int64) { pauses.shift(byNanoseconds: nanoseconds) }

    // MARK: - What is due

    /// Runs what is due by `now`, in order, each at its own instant. If the budget runs out, the next calls distribute the
    /// rest fairly: ends and firings share the work, and among each the slot with the least work so far comes first.
    /// - Returns: Whether everything is done; if false, call again.
    @discardableResult
    package mutating func advance(to now: Instant) -> Bool {
        agenda.begin(at: now)
        if agenda.isBehind {
            let (tracks, schedules) = (tracks, schedules)
            agenda.queueUp(
                dueBy: now, limit: configuration.maximumQueuedPerAdvance, isPaused: schedulesPaused,
                endWork: { AdvanceWork.expected(tracks[$0]?.run?.then) },
                firingWork: { AdvanceWork.expected(schedules[$0]?.definition.actions) })
        }
        while (nextDue ?? Instant(nanoseconds: .max)) <= now {
            guard !exceedsBudget else {
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

    /// Gives what is run from here on the budget of an advance. In a turn that doesn't advance, the rest of an earlier budget
    /// would decide, which no snapshot holds.
    package mutating func renewBudget(at now: Instant) { agenda.begin(at: now) }

    /// Whether the last advance, and what was run since, used up its budget.
    var exceedsBudget: Bool { agenda.work.units >= configuration.maximumWorkPerAdvance }

    /// Runs a list of actions, now or when its owner's rate allows it, and reports those that fail.
    mutating func perform(_ list: ActionList, by name: ResourceName, at now: Instant) {
        guard !isPerforming else { return performNext(list, by: name, at: now) }
        if let turn = actionRates.reserve(list, at: now), performLate(list, by: name, at: now, turn: turn) { return }
        run(list, by: name, at: now)
    }

    /// Runs a list of actions that is counted already.
    mutating func run(_ list: ActionList, by name: ResourceName, at now: Instant) {
        isPerforming = true
        defer { isPerforming = false }
        agenda.count(list)
        for action in list.actions {
            do throws(CommandError) {
                try perform(action.posted(by: list.owner), by: name, at: now)
            } catch {
                emit(.failed(by: name, error))
            }
        }
    }

    // MARK: - Snapshots

    /// Inserts a resource unchanged at its slot, without any effects.
    package mutating func insert(_ resource: Resource, at slotEntry: SlotEntry) {
        switch resource {
        case .track(var track):
            track.hasSubscribers = slotEntry.hasSubscribers
            slots.insert(track.name, at: slotEntry.slot)
            trackTable.insert(track, at: slotEntry)
        case .schedule(var schedule):
            try? schedule.definition.setWords(from: configuration.planner)
            slots.insert(schedule.name, at: slotEntry.slot)
            scheduleTable.seat(schedule, at: slotEntry)
        }
    }

    /// Appends the state beside its resources. Only between two turns, when no event is pending.
    package func writeBooks(to writer: inout ByteWriter) {
        pauses.write(to: &writer)
        writer.count(delayedActionNames.last)
        writer.flag(agenda.isBehind)
        trackTable.writeNumbers(to: &writer)
        scheduleTable.writeNumbers(to: &writer)
        agenda.write(to: &writer, end: { trackTable[$0]?.due }, firing: { scheduleTable[$0].flatMap(due) })
        actionRates.write(to: &writer)
    }

    /// Reads what `writeBooks` wrote, after all resources are inserted.
    package mutating func readBooks(from reader: inout ByteReader) throws(ByteReader.Damage) {
        pauses = try SchedulePauses(from: &reader)
        delayedActionNames = DelayedActionNames(last: try reader.count())
        let isBehind = try reader.flag()
        try trackTable.readNumbers(from: &reader)
        try scheduleTable.readNumbers(from: &reader)
        agenda = try Agenda(
            from: &reader, isBehind: isBehind, ends: tracks.map { $0?.due }, firings: schedules.map { $0.flatMap(due) })
        actionRates = try ActionRates(from: &reader)
        let slots = schedules
        guard actionRates.lateSlots.allSatisfy({ slots.indices.contains($0) && slots[$0] != nil }) else {
            throw ByteReader.Damage()
        }
    }
}
