// Queries of a board.

package import Base
package import Tween

extension Engine {
    /// Tracks by slot; nil if a slot is free.
    package var tracks: [Track?] { trackTable.slots }

    /// Schedules by slot; nil if a slot is free.
    package var schedules: [Schedule?] { scheduleTable.slots }

    /// Estimated bytes of all resources.
    package var bytes: Int { trackTable.bytes + scheduleTable.bytes }

    /// How many tickers and progresses there are.
    package var trackCount: Int { trackTable.count }

    /// The number of schedules.
    package var pendingSchedules: Int { scheduleTable.count }

    /// How many schedules wait for a date, not for an interval.
    package var datedScheduleCount: Int { scheduleTable.datedCount }

    /// How many delayed actions are waiting.
    package var delayedActionCount: Int { scheduleTable.delayedActionCount }

    // MARK: - One resource

    /// Returns the slot of a resource. Tracks and schedules have separate slot numbers.
    package func slot(of name: ResourceName) -> Int? { slots[name] }

    package func track(_ name: ResourceName) -> Track? {
        guard name.kind != .schedule, let slot = slots[name] else { return nil }
        return tracks[slot]
    }

    /// Returns whether a track has a subscriber on this node.
    package func isWatched(_ name: ResourceName) -> Bool {
        guard name.kind != .schedule, let slot = slots[name] else { return false }
        return tracks[slot]?.isWatched ?? false
    }

    /// Returns a track's revision without copying the track.
    func revision(of name: ResourceName) -> UInt64? {
        name.kind == .schedule ? nil : slots[name].flatMap { tracks[$0]?.revision }
    }

    package func schedule(_ name: ResourceName) -> Schedule? {
        name.kind == .schedule ? slots[name].flatMap { schedules[$0] } : nil
    }

    // MARK: - Ticks

    /// Slots of tracks to sample with each tick, unordered: moving ones that are watched or have a milestone ahead.
    package var sampled: [Int] { trackTable.sampled }

    /// The earliest instant at which `advance` has something to do.
    package var nextDue: Instant? { agenda.first(isPaused: schedulesPaused) }

    // MARK: - Pauses

    package var schedulesPaused: Bool { pauses.pause.isPaused }

    /// Whether all schedules are paused, and since when.
    package var schedulePause: SchedulePause { pauses.pause }

    /// Returns whether a schedule is paused, itself or with all others.
    package func isHeld(_ schedule: Schedule) -> Bool {
        !schedule.isEnded && (schedulesPaused || schedule.isPaused)
    }

    /// Whether a change to all schedules is in progress. Another one must wait for its end.
    package var isSweeping: Bool { pauses.sweep != nil }

    /// Returns whether the last pause or resumption of all had not reached a schedule when its last record was stored.
    func isOverlooked(_ schedule: Schedule) -> Bool {
        if schedule.isEnded { return false }
        return schedulesPaused
            ? !schedule.isDated && schedule.remaining == nil : schedule.remaining != nil && !schedule.isPaused
    }

    // MARK: - Lists

    /// Returns the first names of a kind with a prefix, by id.
    /// - Parameters:
    ///   - prefix: What ids begin with; empty matches all.
    ///   - id: Only ids after it are returned; it need not be on the board.
    package func names(
        of kind: ResourceKind, beginningWith prefix: String, after id: String? = nil, limit: Int
    ) -> [ResourceName] {
        slots.names(of: kind, beginningWith: prefix, after: id, limit: limit)
    }

    /// Returns the number of resources of a kind.
    package func count(of kind: ResourceKind) -> Int { slots.count(of: kind) }

    /// Returns the names of all resources of a kind, by id.
    package func names(of kind: ResourceKind) -> [ResourceName] {
        names(of: kind, beginningWith: "", limit: .max)
    }

    /// Returns the first tracks of a kind, by id.
    /// - Parameter id: Only tracks after it are returned; it need not be on the board.
    package func tracks(_ kind: ResourceKind, after id: String?, limit: Int) -> [Track] {
        names(of: kind, beginningWith: "", after: id, limit: limit).compactMap { track($0) }
    }

    /// Returns the first schedules in the order of their places.
    /// - Parameter place: Only schedules after it are returned.
    package func schedules(after place: SchedulePlace?, limit: Int) -> [Schedule] {
        scheduleTable.places(after: place, limit: limit).compactMap { schedule(ResourceName(.schedule, $0.id)) }
    }
}
