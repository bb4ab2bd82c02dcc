// Everything that exists and everything that is due: the deterministic state machine
// (state, command, instant) -> (state, events). No thread, no clock, no I/O; one owner.

import Base
package import RecurrenceRules
package import Tween

/// The board's state machine.
package struct Engine {
    /// Limits and collaborators.
    package struct Configuration: Sendable {
        /// The most tickers and progresses together.
        package var maximumTracks = 1_000_000
        package var maximumSchedules = 1_000_000
        /// The most bytes that all resources take up, as `footprint` estimates them. What a store kept is taken whatever it
        /// takes up.
        package var maximumBytes = 1_073_741_824
        /// The most ends and firings of one `advance`, so that a crowd due at one instant starves no frame: ten thousand
        /// take forty ticks.
        package var maximumStepsPerAdvance = 250
        /// The most actions of one `advance`; the list that is begun is carried out whole.
        package var maximumActionsPerAdvance = 500
        /// The most bytes of events of one `advance`; the list of actions that is begun is carried out whole.
        package var maximumEventBytesPerAdvance = 64 * 1_024
        /// The most schedules that are paused, resumed or removed at a time when all of them are.
        package var maximumSchedulesPerSweep = 500
        /// The most ends, and the most firings, that queue up for their turn at the start of one `advance`.
        package var maximumQueuedPerAdvance = 1_000
        /// The most actions that wait for their time: those with a delay, and what other actions cut off or finished.
        package var maximumDelayedActions = 100_000
        /// Seconds between an action's start of a motion and the earliest completion of it, and between an action that makes
        /// a schedule and its first firing: a chain of actions that take no time goes at this pace instead of for ever at one
        /// instant.
        package var shortestActionMotion = 1.0 / 60
        package var planner: any Planner
        /// By which calendars schedules go; nil: by those that they were read with.
        package internal(set) var rules: (any CalendarRules)?

        package init(planner: any Planner, rules: (any CalendarRules)? = nil) {
            self.planner = planner
            self.rules = rules
        }
    }

    /// A limit may be set anew at any time; what is there stays, also beyond it.
    package var configuration: Configuration
    /// Tracks by slot; nil where a slot is free.
    package internal(set) var tracks: [Track?] = []
    /// Schedules by slot; nil where a slot is free.
    package internal(set) var schedules: [Schedule?] = []
    /// Whether all schedules are paused.
    package internal(set) var schedulePause: SchedulePause
    /// A change to all schedules that is under way.
    var sweep: ScheduleSweep?
    /// Slots of tracks to be sampled each tick, in no order: they move, and somebody watches or a milestone waits.
    package private(set) var sampled: [Int] = []
    /// The motions of the tracks in `sampled`, in the same order.
    var moving: [MovingTrack] = []

    var slots: [ResourceName: Int] = [:]
    var nameIndex = NameIndex()
    var schedulePlaces = SortedList<SchedulePlace>()
    var trackTimetable = FairTimetable()
    var scheduleTimetable = FairTimetable()
    /// About how many bytes all resources take up.
    package internal(set) var bytes = 0
    /// By slot, what `bytes` holds of it.
    var trackFootprints: [Int] = []
    var scheduleFootprints: [Int] = []
    /// Done since the last advance began.
    var work = AdvanceWork()
    /// A list of actions is being carried out.
    var isPerforming = false
    /// Actions that wait for their time.
    package internal(set) var delayedActionCount = 0
    /// The number of the last one's name.
    var lastDelayedAction = 0
    /// The last advance left something over: turns count, not dates.
    var isBehind = false
    var trackSlots = SlotNumbers()
    var scheduleSlots = SlotNumbers()
    /// Where a track's slot lies in `sampled`; -1 where it does not.
    var samplePlaces: [Int] = []
    /// The serial of the last record in `moving`.
    private var lastSerial: UInt64 = 0
    private var pendingEvents: [BoardEvent] = []
    /// Tracks as their motions left them, by the place of the event that tells of the end: of those that are watched and that
    /// what followed may have changed since.
    package private(set) var endedTracks: [Int: Track] = [:]
    /// Tracks in place with milestones, so that none costs nothing.
    var milestoneCount = 0
    /// Schedules that wait for a date, not for a time to pass.
    package internal(set) var datedScheduleCount = 0
    private var changed: [ResourceName] = []
    private var changedNames: Set<ResourceName> = []

    package init(configuration: Configuration) {
        self.configuration = configuration
        schedulePause = SchedulePause()
    }

    /// A board that is to adopt what was stored.
    /// - Parameters:
    ///   - trackCount: How many tracks will come: a hundred thousand would be moved with every growth otherwise.
    ///   - scheduleCount: How many schedules.
    package init(configuration: Configuration, schedulePause: SchedulePause, trackCount: Int, scheduleCount: Int) {
        self.configuration = configuration
        self.schedulePause = schedulePause
        tracks.reserveCapacity(trackCount)
        schedules.reserveCapacity(scheduleCount)
        slots.reserveCapacity(trackCount + scheduleCount)
    }

    /// Takes in what was stored. What fell due meanwhile is due now, in its order; schedules that say so skip it.
    package mutating func adopt(_ resources: [Resource], at now: Instant) {
        for resource in resources {
            switch resource {
            case .track(var track):
                track.takeUpTimeline(at: now)
                track.lookAgain(at: now)
                place(track, changed: false)
            case .schedule(let schedule): adopt(schedule, at: now)
            }
        }
    }

    /// Updates could not be received for a while.
    package mutating func lookAgain(at now: Instant) {
        for case var track? in tracks where track.name.kind == .progress && track.isTimed {
            track.lookAgain(at: now)
            place(track)
        }
    }

    private mutating func adopt(_ stored: Schedule, at now: Instant) {
        var schedule = stored
        // Data that have gone since are no reason to lose a schedule: it speaks English.
        try? schedule.definition.takeWords(from: configuration.planner)
        if schedule.origin != nil { recordName(ofDelayedAction: schedule.name) }
        let isMoved = configuration.rules.map { schedule.follow($0, at: now) } ?? false
        let isOverlooked = isOverlooked(schedule)
        if isOverlooked { schedule.firing.settle(isHeld: isHeld(schedule), at: schedulePause.since ?? now) }
        if !isHeld(schedule), schedule.leavesOut(at: now) {
            leaveOut(schedule, at: now)
        } else {
            place(schedule, changed: isOverlooked || isMoved)
        }
    }

    package var schedulesPaused: Bool { schedulePause.isPaused }

    /// When the next schedule fires. None does while all are paused, whether each of them has been told yet or not.
    var nextFiring: Instant? { schedulesPaused ? nil : scheduleTimetable.first }

    /// The earliest instant at which `advance` has something to do.
    package var nextDue: Instant? {
        switch (trackTimetable.first, nextFiring) {
        case (let one?, let other?): min(one, other)
        case (let one?, nil): one
        case (nil, let other): other
        }
    }

    /// The slot of a resource; tracks and schedules count separately.
    package func slot(of name: ResourceName) -> Int? { slots[name] }

    package func track(_ name: ResourceName) -> Track? {
        guard name.kind != .schedule, let slot = slots[name] else { return nil }
        return tracks[slot]
    }

    /// Whether somebody here is shown a track's frames.
    package func isWatched(_ name: ResourceName) -> Bool {
        guard name.kind != .schedule, let slot = slots[name] else { return false }
        return tracks[slot]?.isWatched ?? false
    }

    /// A track's revision, without a copy of the track.
    func revision(of name: ResourceName) -> UInt64? {
        name.kind == .schedule ? nil : slots[name].flatMap { tracks[$0]?.revision }
    }

    package func schedule(_ name: ResourceName) -> Schedule? {
        name.kind == .schedule ? slots[name].flatMap { schedules[$0] } : nil
    }

    /// Slots of moving tracks with milestones that were not passed yet, in their order: who is sampled in which order is a
    /// matter of who listens.
    package var slotsWithMilestones: [Int] {
        milestoneCount == 0 ? [] : sampled.filter { tracks[$0]?.run?.milestones.isEmpty == false }.sorted()
    }

    /// How many schedules there are.
    package var pendingSchedules: Int { scheduleSlots.count }

    /// How many tickers and progresses there are.
    package var trackCount: Int { trackSlots.count }

    /// Takes the events since the last call, in order.
    package mutating func takeEvents() -> [BoardEvent] {
        defer {
            pendingEvents.removeAll(keepingCapacity: true)
            endedTracks.removeAll()
        }
        return pendingEvents
    }

    /// Takes the names of resources that changed since the last call, each once: what is to be stored.
    package mutating func takeChanges() -> [ResourceName] {
        defer {
            changed.removeAll(keepingCapacity: true)
            changedNames.removeAll(keepingCapacity: true)
        }
        return changed
    }

    mutating func emit(_ event: BoardEvent) {
        work.bytes += event.byteCount
        pendingEvents.append(event)
    }

    /// Keeps a track as it is for the event that is emitted next.
    mutating func keepForNextEvent(_ track: Track) { endedTracks[pendingEvents.count] = track }

    mutating func emit(_ events: [BoardEvent]) {
        for event in events { emit(event) }
    }

    mutating func markChanged(_ name: ResourceName) {
        if changedNames.insert(name).inserted { changed.append(name) }
    }
}

// MARK: - Slots

extension Engine {
    /// Puts a track in place: new ones get a slot; timetable and sampling follow its state.
    mutating func place(_ track: consuming Track, changed: Bool = true) {
        let known = slots[track.name]
        place(track, at: known, changed: changed)
    }

    /// The same where its slot has been looked up; nil for a new one.
    /// - Returns: Its slot.
    @discardableResult
    mutating func place(_ track: consuming Track, at known: Int?, changed: Bool = true) -> Int {
        let name = track.name
        let slot = known ?? trackSlots.take()
        if slot == tracks.count {
            tracks.append(nil)
            samplePlaces.append(-1)
        }
        if known == nil {
            slots[name] = slot
            nameIndex.insert(name)
        }
        // Looking at a track copies it, and few have milestones.
        if milestoneCount > 0, tracks[slot]?.hasMilestones == true { milestoneCount -= 1 }
        if track.hasMilestones { milestoneCount += 1 }
        count(track.footprint, track: slot)
        follow(slot, due: track.due, track.sampledMotion)
        tracks[slot] = track
        if changed { markChanged(name) }
        return slot
    }

    /// Has the timetable and the samples follow a track's state.
    mutating func follow(_ slot: Int, due: Instant?, _ motion: Motion?) {
        trackTimetable.set(slot, due: due)
        sample(slot, motion)
    }

    mutating func displaceTrack(at slot: Int) {
        guard let name = tracks[slot]?.name else { return }
        sample(slot, nil)
        trackTimetable.set(slot, due: nil)
        if tracks[slot]?.hasMilestones == true { milestoneCount -= 1 }
        tracks[slot] = nil
        count(0, track: slot)
        slots[name] = nil
        nameIndex.remove(name)
        trackSlots.free(slot)
        markChanged(name)
    }

    mutating func place(_ schedule: Schedule, changed: Bool = true) {
        let slot = slots[schedule.name] ?? scheduleSlots.take()
        if slot == schedules.count { schedules.append(nil) }
        if let known = schedules[slot] {
            unnote(known)
            if SchedulePlace(known) != SchedulePlace(schedule) {
                schedulePlaces.remove(SchedulePlace(known))
                schedulePlaces.insert(SchedulePlace(schedule))
            }
        } else {
            slots[schedule.name] = slot
            nameIndex.insert(schedule.name)
            schedulePlaces.insert(SchedulePlace(schedule))
        }
        record(schedule)
        schedules[slot] = schedule
        count(schedule.footprint, schedule: slot)
        scheduleTimetable.set(slot, due: isHeld(schedule) || schedule.remaining != nil ? nil : schedule.due)
        if changed { markChanged(schedule.name) }
    }

    /// Counts a schedule that comes.
    mutating func record(_ schedule: Schedule) {
        if schedule.isDated { datedScheduleCount += 1 }
        if schedule.origin != nil { delayedActionCount += 1 }
    }

    private mutating func unnote(_ schedule: Schedule) {
        if schedule.isDated { datedScheduleCount -= 1 }
        if schedule.origin != nil { delayedActionCount -= 1 }
    }

    mutating func displaceSchedule(at slot: Int) {
        guard let schedule = schedules[slot] else { return }
        let name = schedule.name
        scheduleTimetable.set(slot, due: nil)
        unnote(schedule)
        schedulePlaces.remove(SchedulePlace(schedule))
        schedules[slot] = nil
        count(0, schedule: slot)
        slots[name] = nil
        nameIndex.remove(name)
        scheduleSlots.free(slot)
        markChanged(name)
    }

    /// Whether a schedule waits for a resume, its own or everybody's.
    package func isHeld(_ schedule: Schedule) -> Bool { schedulesPaused || schedule.isPaused }

    private mutating func sample(_ slot: Int, _ motion: Motion?) {
        let place = samplePlaces[slot]
        if let motion {
            lastSerial += 1
            let track = MovingTrack(motion, slot: slot, serial: lastSerial)
            if place >= 0 {
                moving[place] = track
            } else {
                samplePlaces[slot] = sampled.count
                sampled.append(slot)
                moving.append(track)
            }
        } else if place >= 0 {
            let last = sampled.removeLast()
            let lastMoving = moving.removeLast()
            if last != slot {
                sampled[place] = last
                moving[place] = lastMoving
                samplePlaces[last] = place
            }
            samplePlaces[slot] = -1
        }
    }
}
