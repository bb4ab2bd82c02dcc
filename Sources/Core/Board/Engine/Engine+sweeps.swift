// Pauses, resumptions and removals of all schedules. They hold from one instant on; that each schedule is told of them takes
// several calls where there are many, so that none of them holds up a tick.

package import Tween

/// Whether all schedules are paused, and since when that is so.
package struct SchedulePause: Hashable, Sendable {
    package var isPaused: Bool
    /// nil where it has always been so.
    package var since: Instant?

    package init(isPaused: Bool = false, since: Instant? = nil) {
        self.isPaused = isPaused
        self.since = since
    }
}

/// A change to all schedules that is under way.
struct ScheduleSweep: Hashable, Sendable {
    /// The numbers stand in snapshots.
    enum Kind: UInt8, Hashable, Sendable {
        case pause = 0
        case resumption = 1
        case removal = 2
    }

    let kind: Kind
    /// The instant at which it holds for all of them.
    let since: Instant
    /// The slot that comes next.
    var next = 0
    /// The slot before which it ends: what comes later was made after it.
    let end: Int
}

extension Engine {
    /// Whether a change to all schedules is under way. Another one has to wait for its end.
    package var isSweeping: Bool { sweep != nil }

    mutating func setAllPaused(_ isPaused: Bool, at now: Instant) {
        guard schedulesPaused != isPaused else { return }
        finishSweep()
        schedulePause = SchedulePause(isPaused: isPaused, since: now)
        emit(isPaused ? .paused(nil) : .resumed(nil))
        sweep = ScheduleSweep(kind: isPaused ? .pause : .resumption, since: now, end: schedules.count)
        continueSweep()
    }

    mutating func removeAllSchedules(at now: Instant) {
        finishSweep()
        sweep = ScheduleSweep(kind: .removal, since: now, end: schedules.count)
        continueSweep()
    }

    /// Takes the change under way to its end, whatever that takes.
    mutating func finishSweep() {
        while isSweeping { continueSweep() }
    }

    /// Goes on with the change under way, for as many schedules as one call takes.
    package mutating func continueSweep() {
        guard var sweep else { return }
        var count = 0
        while sweep.next < sweep.end, count < configuration.maximumSchedulesPerSweep {
            defer { sweep.next += 1 }
            guard let schedule = schedules[sweep.next] else { continue }
            count += 1
            switch sweep.kind {
            case .pause, .resumption:
                settle(schedule, at: sweep.next, at: sweep.since)
            case .removal:
                displaceSchedule(at: sweep.next)
                emit(.removed(schedule.name, .cancelled))
            }
        }
        self.sweep = sweep.next < sweep.end ? sweep : nil
    }

    /// Lets those live that are not removed yet.
    package mutating func cancelRemoval() {
        if sweep?.kind == .removal { sweep = nil }
    }

    /// Whether a schedule is as it was before the last pause or resumption of all, which had not reached it when the store
    /// took its last record.
    func isOverlooked(_ schedule: Schedule) -> Bool {
        schedulesPaused
            ? !schedule.isDated && schedule.remaining == nil : schedule.remaining != nil && !schedule.isPaused
    }

    /// Has the last pause or resumption of all look at all schedules again.
    mutating func repeatSweep(at now: Instant) {
        let kind: ScheduleSweep.Kind = schedulesPaused ? .pause : .resumption
        sweep = ScheduleSweep(kind: kind, since: schedulePause.since ?? now, end: schedules.count)
    }
}
