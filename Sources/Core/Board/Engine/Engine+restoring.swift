// Restores resources from a store.

import Base
import RecurrenceRules
package import Tween

extension Engine {
    /// A resource from a record.
    package enum Resource: Sendable {
        case track(Track)
        case schedule(Schedule)
    }

    /// Adds stored resources. What fell due meanwhile is due now, in order; schedules that skip missed dates skip it.
    package mutating func adopt(_ resources: [Resource], at now: Instant) {
        for resource in resources {
            switch resource {
            case .track(var track):
                track.resumeTimeline(at: now)
                // No client could subscribe before.
                if track.timeToLive != nil { track.touch(at: now) }
                track.lookAgain(at: now)
                place(track, changed: false)
            case .schedule(let schedule): adopt(schedule, at: now)
            }
        }
    }

    /// Resumes estimates of pace after a time in which no updates could be received.
    package mutating func lookAgain(at now: Instant) {
        for case var track? in tracks where track.name.kind == .progress && track.isTimed {
            track.lookAgain(at: now)
            place(track)
        }
    }

    private mutating func adopt(_ stored: Schedule, at now: Instant) {
        var schedule = stored
        // If the locale's data are missing now, the schedule is kept and uses English.
        try? schedule.definition.setWords(from: configuration.planner)
        if schedule.origin != nil { recordName(ofDelayedAction: schedule.name) }
        let isMoved = configuration.rules.map { schedule.adopt($0, at: now) } ?? false
        let isOverlooked = isOverlooked(schedule)
        if isOverlooked { schedule.firing.settle(isHeld: isHeld(schedule), at: schedulePause.since ?? now) }
        if !isHeld(schedule), schedule.skips(at: now) {
            skip(schedule, at: now)
        } else {
            place(schedule, changed: isOverlooked || isMoved)
        }
    }

    /// Restores a resource to an earlier state, or removes one that did not exist then. No motion completes; a removed
    /// resource is reported.
    /// - Parameter step: How the clock was set since that state was stored; nil if it was not.
    /// - Returns: Whether milestones beyond that state were published. They stay so, and the track is to be stored again.
    ///   Those with actions are crossed again, because the effects of the actions are undone as well.
    @discardableResult
    package mutating func restore(
        _ name: ResourceName, _ resource: Resource?, after step: ClockStep? = nil, at now: Instant
    ) -> Bool {
        switch resource {
        case .track(var track):
            let known = self.track(name)
            (track.isWatched, track.hasSubscribers) = (known?.isWatched ?? false, known?.hasSubscribers ?? false)
            var isGreeted = false
            if let run = track.run, let told = known?.run, told.animation == run.animation {
                let untold = run.milestones.filter {
                    told.milestones.contains($0) || run.milestoneActions?.actions(at: $0) != nil
                }
                isGreeted = untold.count < run.milestones.count
                let crossed = run.crossed + run.milestones.filter { !untold.contains($0) }
                track.run = run.with(milestones: untold, crossed: crossed, lastValue: run.lastValue)
            }
            if let step { track.shiftTimeline(byNanoseconds: step.nanoseconds) }
            track.resumeTimeline(at: now)
            place(track)
            return isGreeted
        case .schedule(var schedule):
            try? schedule.definition.setWords(from: configuration.planner)
            if let rules = configuration.rules { _ = schedule.adopt(rules, at: now) }
            place(schedule)
            if let step { shift(restored: schedule, by: step) }
            if isOverlooked(schedule) { repeatSweep(at: now) }
        case nil:
            guard let slot = slots[name] else { return false }
            if name.kind == .schedule { displaceSchedule(at: slot) } else { displaceTrack(at: slot) }
            emit(.removed(name, .cancelled))
        }
        return false
    }
}
