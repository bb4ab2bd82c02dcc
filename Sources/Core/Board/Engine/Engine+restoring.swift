// Setting resources back to what a store kept of them.

import Base
import RecurrenceRules
package import Tween

extension Engine {
    /// What a record describes.
    package enum Resource: Sendable {
        case track(Track)
        case schedule(Schedule)
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
}
