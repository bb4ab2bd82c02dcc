// How a track takes an update. Works on a copy the engine owns, so that a refusal half-way changes nothing.

import Conversions
import Labels
import Primitives
import Tween

/// A run that an update ended.
struct EndedRun {
    var animation: UInt64
    var reason: CompletionReason
    var reading: Reading
    var then: ActionList?
    var otherwise: ActionList?
    /// It took no time.
    var isInstant = false

    /// What its end sets off.
    var next: ActionList? { reason == .finished ? then : otherwise }
}

extension Track {
    /// What an accepted update did.
    struct UpdateOutcome {
        var animation: UInt64?
        var unchanged = false
        /// The motion that this update superseded.
        var ended: EndedRun?
    }

    /// Applies `PUT`: label, format and default timing; nothing moves.
    mutating func define(_ definition: TrackUpdate, planner: any Planner, at now: Instant) throws(CommandError) {
        self.definition = definition
        timeToLive = definition.timeToLive
        touched = now
        face = try face.dressed(as: face.recipe.dressed(in: definition, replacing: true), for: target, planner: planner)
        let request = MotionRequest(definition, target: target, kind: name.kind)
        if request.animated { try request.checkRest(halfUnit: halfUnit) }
        revision += 1
    }

    /// Applies `POST`: starts, retargets, queues or refuses a motion.
    /// - Parameter lead: Seconds before the motion's own delay; none for an update that waits.
    mutating func update(
        _ sent: TrackUpdate, lead: Double = 0, planner: any Planner, at now: Instant
    ) throws(CommandError) -> UpdateOutcome {
        let update = completed(sent)
        let goal = try goal(of: update)
        let before = self
        let recipe = face.recipe
        let asked = recipe.dressed(in: update)
        let dressed = try face.dressed(as: asked, for: goal, planner: planner)
        if let seconds = update.timeToLive { timeToLive = seconds }
        if name.kind == .ticker, sent.isOfFaceAlone {
            // One that is made by it has its face already.
            guard asked != recipe || revision == 0 else {
                return UpdateOutcome(animation: run?.animation, unchanged: true)
            }
            (face, touched) = (dressed, now)
            revision += 1
            return UpdateOutcome()
        }
        var request = MotionRequest(update, target: goal, kind: name.kind)
        request.delay += lead
        guard request.delay <= TrackUpdate.maximumSeconds else {
            throw .invalid(field: sent.start == nil ? "delay" : "start", reason: "begins more than 365 days from now")
        }
        if let run, update.from == nil, asked == recipe, run.request == request, run.then == update.then,
            run.otherwise == update.otherwise
        {
            return UpdateOutcome(animation: run.animation, unchanged: true)
        }
        touched = now
        cadence.observe(now)
        if name.kind == .progress { pace.observe(goal.double, at: now.unixSeconds) }
        if run != nil {
            switch update.interruption ?? .retarget {
            case .reject: throw .running(name)
            case .queue:
                guard sent.start == nil else {
                    throw .invalid(field: "start", reason: "an update that waits begins when it is its turn")
                }
                return try wait(sent, request)
            case .retarget, .replace: break
            }
        }
        face = dressed
        var outcome = try start(update, request: request, at: now)
        if let cut = before.run { outcome.ended = before.ended(cut, .superseded, at: now) }
        return outcome
    }

    /// Starts the update that waits first; the engine calls it when a run has ended.
    mutating func startWaiting(planner: any Planner, at now: Instant) throws(CommandError) -> UpdateOutcome? {
        guard !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        let update = completed(next.update)
        let request = MotionRequest(update, target: next.target, kind: name.kind)
        face = try face.dressed(as: face.recipe.dressed(in: update), for: next.target, planner: planner)
        return try start(update, request: request, at: now, animation: next.animation)
    }

    /// An update with what `PUT` fixed.
    private func completed(_ update: TrackUpdate) -> TrackUpdate {
        guard let definition else { return update }
        var update = update
        update.inherit(from: definition)
        return update
    }

    /// - Parameter update: As it was sent: what `PUT` fixes counts when its turn comes.
    private mutating func wait(
        _ update: TrackUpdate, _ request: MotionRequest
    ) throws(CommandError) -> UpdateOutcome {
        let bytes = waiting.reduce(update.footprint) { $0.addingSaturated($1.update.footprint) }
        guard waiting.count < Self.maximumWaiting, bytes <= Self.maximumWaitingBytes || waiting.isEmpty else {
            throw .queueFull(limit: waiting.count)
        }
        if request.animated { try request.checkRest(halfUnit: halfUnit) }
        revision += 1
        waiting.append(WaitingUpdate(update: update, target: request.target, animation: revision))
        return UpdateOutcome(animation: revision)
    }

    private func goal(of update: TrackUpdate) throws(CommandError) -> ExactDecimal {
        try update.goal(from: waiting.last?.target ?? target)
    }

    /// Starts a motion; the face is as the update has it.
    private mutating func start(
        _ update: TrackUpdate, request: MotionRequest, at now: Instant, animation waited: UInt64? = nil
    ) throws(CommandError) -> UpdateOutcome {
        var outcome = UpdateOutcome()
        let origin: Position = update.from.map { .exact($0) } ?? position(at: now)
        let inherited = update.from == nil && (update.interruption ?? .retarget) == .retarget
        let previous = run
        revision += 1
        let animation = waited ?? revision
        outcome.animation = animation
        target = request.target
        let motion = try motion(
            request, from: origin.double, continuing: inherited ? previous?.motion : nil, at: now)
        run = Run(
            motion: motion, animation: animation, request: request, origin: origin, then: update.then,
            otherwise: update.otherwise, milestones: milestones(update.milestones ?? [], beyond: origin.double),
            lastValue: origin.double)
        return outcome
    }

    private func motion(
        _ request: MotionRequest, from start: Double, continuing previous: Motion?, at now: Instant
    ) throws(CommandError) -> Motion {
        let end = request.target.double
        let moves = request.animated && (start != end || (previous?.velocity(at: now) ?? 0) != 0)
        let learnt = cadence.duration
        guard moves else {
            if request.animated { try request.checkRest(halfUnit: halfUnit) }
            let still = Timing(duration: 0)
            return Motion(from: start, to: end, course: .timed(still), startingAt: now)
        }
        let course = try request.course(duration: request.duration(learnt: learnt), halfUnit: halfUnit)
        var motion: Motion
        if let previous, request.relativeVelocity == 0 {
            motion = previous.retargeted(to: end, course: course, at: now, clamped: request.clamp)
        } else {
            motion = Motion(
                from: start, to: end, course: course, startingAt: now,
                velocity: request.relativeVelocity * (end - start), clamped: request.clamp)
        }
        motion.settleAtRest(resolution: halfUnit)
        try MotionRequest.checkEnd(of: motion)
        if request.rate != 1 { motion.setRate(request.rate, at: now) }
        return motion
    }

    /// Half a unit of the last shown digit; for progress, of a thousandth of the bar.
    private var halfUnit: Double {
        switch face {
        case .ticker(let ticker): ticker.plain.plan.halfUnit
        case .progress(let progress):
            if case .value(let maximum) = progress.maximum { maximum.double / 2000 } else { 0.5 }
        }
    }

    private func milestones(_ values: [ExactDecimal], beyond start: Double) -> [ExactDecimal] {
        values.filter { $0.double != start }
    }

    func ended(_ run: Run, _ reason: CompletionReason, at now: Instant) -> EndedRun {
        EndedRun(
            animation: run.animation, reason: reason, reading: reading(at: now), then: run.then,
            otherwise: run.otherwise)
    }
}
