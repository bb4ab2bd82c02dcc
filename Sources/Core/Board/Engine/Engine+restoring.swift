// Setting resources back to what a store kept of them.

import Base
package import Tween

extension Engine {
    /// What a record describes.
    package enum Resource: Sendable {
        case track(Track)
        case schedule(Schedule)
    }

    /// Sets a resource back to an earlier state of it, or takes away one that had none. No motion completes by it; what
    /// goes is reported as removed.
    /// - Returns: Whether it is ahead of that state: milestones that were told stay told, and are to be stored as such.
    @discardableResult
    package mutating func restore(_ name: ResourceName, _ resource: Resource?, at now: Instant) -> Bool {
        switch resource {
        case .track(var track):
            let known = self.track(name)
            (track.isWatched, track.hasSubscribers) = (known?.isWatched ?? false, known?.hasSubscribers ?? false)
            var isGreeted = false
            if let run = track.run, let told = known?.run, told.animation == run.animation {
                let untold = run.milestones.filter(told.milestones.contains)
                isGreeted = untold.count < run.milestones.count
                track.run = run.with(milestones: untold, lastValue: run.lastValue)
            }
            place(track)
            return isGreeted
        case .schedule(var schedule):
            try? schedule.definition.takeWords(from: configuration.planner)
            if let rules = configuration.rules { _ = schedule.follow(rules, at: now) }
            place(schedule)
            if isOverlooked(schedule) { repeatSweep(at: now) }
        case nil:
            guard let slot = slots[name] else { return false }
            if name.kind == .schedule { displaceSchedule(at: slot) } else { displaceTrack(at: slot) }
            emit(.removed(name, .cancelled))
        }
        return false
    }

    /// Sets back whether all schedules are paused; schedules that were not stored since follow by and by.
    package mutating func restore(_ pause: SchedulePause, at now: Instant) {
        let known = schedulePause
        guard pause != known else { return }
        schedulePause = pause
        repeatSweep(at: now)
        if pause.isPaused != known.isPaused { emit(pause.isPaused ? .paused(nil) : .resumed(nil)) }
    }
}
