// Commands. Each is applied whole, or rejected without effect. A motion that has arrived is completed before either.

import Base
import Labels
package import Tween

extension Engine {
    /// Applies a command.
    /// - Parameter condition: The state that the client expects of the resource; nil for any.
    package mutating func apply(
        _ command: Command, at now: Instant, expecting condition: Precondition? = nil
    ) throws(CommandError) -> Acceptance {
        if !isPerforming { agenda.beginCommand(at: now) }
        switch command {
        case .update(let name, let update):
            return try self.update(name, with: update, at: now, expecting: condition)
        case .define(let name, let definition):
            return try define(name, as: definition, at: now, expecting: condition)
        case .remove(let name):
            try remove(name, at: now, expecting: condition)
            return Acceptance(revision: 0)
        case .play(let name, let operation):
            return try play(name, operation, at: now, expecting: condition)
        case .schedule(let name, let definition):
            return try schedule(name, definition, at: now, expecting: condition)
        case .pauseSchedule(let name), .resumeSchedule(let name):
            let pauses = if case .pauseSchedule = command { true } else { false }
            return try setPaused(pauses, schedule: name, at: now, expecting: condition)
        case .pauseAllSchedules, .resumeAllSchedules:
            let pauses = if case .pauseAllSchedules = command { true } else { false }
            setAllPaused(pauses, at: now)
            return Acceptance(revision: 0)
        case .removeAllSchedules:
            removeAllSchedules(at: now)
            return Acceptance(revision: 0)
        case .notify(let name, let data):
            emit(.notification(name: name, data: data, by: nil))
            return Acceptance(revision: 0)
        }
    }

    func check(_ condition: Precondition?, against current: UInt64?) throws(CommandError) {
        guard let failure = condition?.failure(at: current) else { return }
        throw .preconditionFailed(failure, current: current)
    }

    // MARK: - Tracks

    private mutating func update(
        _ name: ResourceName, with update: TrackUpdate, at now: Instant, expecting condition: Precondition?
    ) throws(CommandError) -> Acceptance {
        let place = name.kind == .schedule ? nil : slots[name]
        let known = place.flatMap { tracks[$0]?.revision }
        try check(condition, against: known)
        completeArrived(name, at: now)
        var track = if let place, let there = tracks[place] { there } else { try addition(name, for: update, at: now) }
        let lead = try lead(of: update, on: name, at: now)
        let passed = track.passMilestones(at: now)
        let outcome = try track.update(update, lead: lead, planner: configuration.planner, at: now)
        guard !outcome.unchanged else {
            return Acceptance(
                revision: track.revision, animation: outcome.animation, unchanged: true, isLate: outcome.isLate)
        }
        if update.hasActions {
            try rehearse(PlacedAction.all(in: update), with: track, at: now)
        }
        try admit(track, at: place)
        var changed = track.revision
        let slot = self.place(track, at: place)
        emit(passed.events)
        if let ended = outcome.ended { finish(ended, of: name, by: now) }
        // Actions may change this track.
        let lists = passed.actions + [outcome.ended?.next].compactMap(\.self)
        for list in lists { perform(list, by: name, at: now) }
        if !lists.isEmpty || isOver(slot, at: now) {
            completeIfOver(name, at: now)
            changed = self.revision(of: name) ?? changed
        }
        return Acceptance(created: known == nil, revision: changed, animation: outcome.animation)
    }

    private mutating func define(
        _ name: ResourceName, as definition: TrackUpdate, at now: Instant, expecting condition: Precondition?
    ) throws(CommandError) -> Acceptance {
        let known = self.revision(of: name)
        try check(condition, against: known)
        completeArrived(name, at: now)
        var track = try self.track(name, madeFor: definition, at: now)
        try track.define(definition, planner: configuration.planner, at: now)
        if definition.hasActions { try rehearse(PlacedAction.all(in: definition), with: track, at: now) }
        try admit(track)
        place(track)
        return Acceptance(created: known == nil, revision: track.revision)
    }

    /// Returns the track of a name, or a new one that is not placed yet.
    func track(
        _ name: ResourceName, madeFor update: TrackUpdate, at now: Instant
    ) throws(CommandError) -> Track {
        if let known = track(name) { return known }
        return try addition(name, for: update, at: now)
    }

    /// Returns a new track that is not placed yet, within the limit of tracks.
    private func addition(
        _ name: ResourceName, for update: TrackUpdate, at now: Instant
    ) throws(CommandError) -> Track {
        let limit = configuration.maximumTracks
        guard trackCount < limit else { throw .boardFull(name.kind, limit: limit) }
        return try newTrack(name, madeFor: update, at: now)
    }

    /// Returns a new track in the initial state that an update describes.
    func newTrack(
        _ name: ResourceName, madeFor update: TrackUpdate, at now: Instant
    ) throws(CommandError) -> Track {
        // Actions from an old store may name such ids; no new resource gets one.
        guard ResourceName.isValid(id: name.id) else {
            throw .invalid(field: "\(name.kind)", reason: "must not be . or ..")
        }
        var start = update.from
        let rendering = try LabelSpec(name.kind, in: update).rendering(configuration.planner) {
            number throws(CommandError) in
            let first = update.from ?? number ?? .zero
            start = first
            return try update.goal(from: first).scale
        }
        return Track(name: name, rendering: rendering, start: start ?? .zero, at: now)
    }

    private mutating func play(
        _ name: ResourceName, _ operation: PlaybackOperation, at now: Instant, expecting condition: Precondition?
    ) throws(CommandError) -> Acceptance {
        guard let known = track(name) else { throw .notFound(name) }
        try check(condition, against: known.revision)
        completeArrived(name, at: now)
        guard var track = track(name) else { throw .notFound(name) }
        let animation = track.run?.animation
        let wasPaused = track.isPaused
        let passed =
            operation == .finish ? track.passMilestonesToEnd(at: now) : track.passMilestones(at: now)
        let ended = try track.play(operation, at: now)
        place(track)
        emit(passed.events)
        if let ended {
            end(ended, passing: passed, of: name, at: now)
        } else {
            for list in passed.actions { perform(list, by: name, at: now) }
        }
        if track.isPaused, !wasPaused { emit(.paused(name)) }
        if !track.isPaused, wasPaused, ended == nil { emit(.resumed(name)) }
        completeIfOver(name, at: now)
        return Acceptance(revision: self.revision(of: name) ?? track.revision, animation: animation)
    }

    private mutating func remove(
        _ name: ResourceName, at now: Instant, expecting condition: Precondition?
    ) throws(CommandError) {
        guard let slot = slots[name] else { throw .notFound(name) }
        if name.kind == .schedule {
            try check(condition, against: schedules[slot]?.revision)
            displaceSchedule(at: slot)
            emit(.removed(name, .cancelled))
            return
        }
        try check(condition, against: tracks[slot]?.revision)
        completeArrived(name, at: now)
        removeTrack(at: slot, at: now)
    }

    /// Removes a track. Every accepted update still gets its completion.
    mutating func removeTrack(at slot: Int, at now: Instant) {
        guard var track = tracks[slot] else { return }
        let passed = track.passMilestones(at: now)
        emit(passed.events)
        let reading = track.reading(at: now)
        let ended = track.removalOfRun(at: now)
        if let ended { finish(ended, of: track.name, by: now) }
        for waiting in track.waiting {
            emit(
                .complete(track.name, Ending(animation: waiting.animation, reason: .removed, at: now), reading))
        }
        displaceTrack(at: slot)
        emit(.removed(track.name, .deleted))
        let lists = passed.actions + [ended?.next].compactMap(\.self) + track.waiting.compactMap(\.update.otherwise)
        guard let first = lists.first else { return }
        perform(first, by: track.name, at: now)
        for list in lists.dropFirst() { performNext(list, by: track.name, at: now) }
    }
}
