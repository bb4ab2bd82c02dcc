// What a board can be asked.

package import Base
package import Tween

extension Engine {
    /// Tracks by slot; nil where a slot is free.
    package var tracks: [Track?] { trackTable.slots }

    /// Schedules by slot; nil where a slot is free.
    package var schedules: [Schedule?] { scheduleTable.slots }

    /// About how many bytes all resources take up.
    package var bytes: Int { trackTable.bytes + scheduleTable.bytes }

    /// How many tickers and progresses there are.
    package var trackCount: Int { trackTable.count }

    /// How many schedules there are.
    package var pendingSchedules: Int { scheduleTable.count }

    /// Schedules that wait for a date, not for a time to pass.
    package var datedScheduleCount: Int { scheduleTable.datedCount }

    /// Actions that wait for their time.
    package var delayedActionCount: Int { scheduleTable.delayedActionCount }

    // MARK: - One resource

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

    // MARK: - Ticks

    /// Slots of tracks to be sampled each tick, in no order: they move, and somebody watches or a milestone waits.
    package var sampled: [Int] { trackTable.sampled }

    /// Slots of moving tracks with milestones that were not passed yet, in their order: who is sampled in which order is a
    /// matter of who listens.
    package var slotsWithMilestones: [Int] { trackTable.slotsWithMilestones }

    /// The earliest instant at which `advance` has something to do.
    package var nextDue: Instant? { agenda.first(isPaused: schedulesPaused) }

    // MARK: - Pauses

    package var schedulesPaused: Bool { pauses.pause.isPaused }

    /// Whether all schedules are paused, and since when that is so.
    package var schedulePause: SchedulePause { pauses.pause }

    /// Whether a schedule waits for a resume, its own or everybody's.
    package func isHeld(_ schedule: Schedule) -> Bool { schedulesPaused || schedule.isPaused }

    /// Whether a change to all schedules is under way. Another one has to wait for its end.
    package var isSweeping: Bool { pauses.sweep != nil }

    /// Whether a schedule is as it was before the last pause or resumption of all, which had not reached it when the store
    /// took its last record.
    func isOverlooked(_ schedule: Schedule) -> Bool {
        schedulesPaused
            ? !schedule.isDated && schedule.remaining == nil : schedule.remaining != nil && !schedule.isPaused
    }

    // MARK: - Lists

    /// The first names of a kind that begin alike, by id.
    /// - Parameters:
    ///   - prefix: What their ids begin with; empty takes all.
    ///   - id: They come behind it; it need not be on the board.
    package func names(
        of kind: ResourceKind, beginningWith prefix: String, after id: String? = nil, limit: Int
    ) -> [ResourceName] {
        slots.names(of: kind, beginningWith: prefix, after: id, limit: limit)
    }

    /// How many resources there are of a kind.
    package func count(of kind: ResourceKind) -> Int { slots.count(of: kind) }

    /// The names of all resources of a kind, by id.
    package func names(of kind: ResourceKind) -> [ResourceName] {
        names(of: kind, beginningWith: "", limit: .max)
    }

    /// The first tracks of a kind by id.
    /// - Parameter id: The page begins behind it; it need not be on the board.
    package func tracks(_ kind: ResourceKind, after id: String?, limit: Int) -> [Track] {
        names(of: kind, beginningWith: "", after: id, limit: limit).compactMap { track($0) }
    }

    /// The first schedules by their places.
    /// - Parameter place: The page begins behind it.
    package func schedules(after place: SchedulePlace?, limit: Int) -> [Schedule] {
        scheduleTable.places(after: place, limit: limit).compactMap { schedule(ResourceName(.schedule, $0.id)) }
    }
}
