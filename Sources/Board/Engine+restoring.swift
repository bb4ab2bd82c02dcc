// Setting resources back to what a store kept of them.

package import Tween

extension Engine {
    /// What a record describes.
    package enum Resource: Sendable {
        case track(Track)
        case schedule(Schedule)
    }

    /// Sets a resource back to an earlier state of it, or takes away one that had none. No motion completes by it; what
    /// goes is reported as removed.
    package mutating func restore(_ name: ResourceName, _ resource: Resource?, at now: Instant) {
        switch resource {
        case .track(var track):
            track.isWatched = self.track(name)?.isWatched ?? false
            place(track)
        case .schedule(let schedule):
            place(schedule)
        case nil:
            guard let slot = slots[name] else { return }
            if name.kind == .schedule { displaceSchedule(at: slot) } else { displaceTrack(at: slot) }
            emit(.removed(name, .cancelled))
        }
    }

    /// Sets back whether all schedules are paused; each of them is restored by itself.
    package mutating func restore(schedulesPaused: Bool, at now: Instant) {
        guard schedulesPaused != self.schedulesPaused else { return }
        self.schedulesPaused = schedulesPaused
        for case let schedule? in schedules { place(schedule, changed: false) }
        emit(schedulesPaused ? .paused(nil) : .resumed(nil))
    }
}
