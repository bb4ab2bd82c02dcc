// How a track takes an update. Works on a copy the engine owns, so that a refusal half-way changes nothing.

import Conversions
import Labels
import Tween

/// A run that an update ended.
struct EndedRun {
    var animation: UInt64
    var reason: CompletionReason
    var reading: Reading
    var then: ActionList?
    /// It took no time.
    var isInstant = false
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
        defaults = definition
        timeToLive = definition.timeToLive
        touched = now
        try dress(in: definition, replacing: true)
        try adoptDecimals(of: target, planner: planner)
        let request = MotionRequest(TrackUpdate(), defaults: defaults, target: target, kind: name.kind)
        if request.animated { try request.checkRest(halfUnit: halfUnit) }
        revision += 1
    }

    /// Applies `POST`: starts, retargets, queues or refuses a motion.
    mutating func update(
        _ update: TrackUpdate, planner: any Planner, at now: Instant
    ) throws(CommandError) -> UpdateOutcome {
        let goal = try goal(of: update)
        let before = self
        try dress(in: update, replacing: false)
        if let seconds = update.timeToLive { timeToLive = seconds }
        let request = MotionRequest(update, defaults: defaults, target: goal, kind: name.kind)
        if let run, update.from == nil, before.face == face, run.request == request, run.then == update.then {
            return UpdateOutcome(animation: run.animation, unchanged: true)
        }
        touched = now
        cadence.observe(now)
        if name.kind == .progress { pace.observe(goal.double, at: now.unixSeconds) }
        if run != nil {
            switch update.interruption ?? defaults.interruption ?? .retarget {
            case .reject: throw .running(name)
            case .queue:
                face = before.face  // it dresses when its turn comes
                return try wait(update, target: goal)
            case .retarget, .replace: break
            }
        }
        var outcome = try start(update, request: request, planner: planner, at: now)
        if let cut = before.run { outcome.ended = before.ended(cut, .superseded, at: now) }
        return outcome
    }

    /// Starts the update that waits first; the engine calls it when a run has ended.
    mutating func startWaiting(planner: any Planner, at now: Instant) throws(CommandError) -> UpdateOutcome? {
        guard !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        let request = MotionRequest(next.update, defaults: defaults, target: next.target, kind: name.kind)
        try dress(in: next.update, replacing: false)
        return try start(next.update, request: request, planner: planner, at: now, animation: next.animation)
    }

    private mutating func wait(_ update: TrackUpdate, target: ExactDecimal) throws(CommandError) -> UpdateOutcome {
        let bytes = waiting.reduce(update.footprint) { $0.addingSaturated($1.update.footprint) }
        guard waiting.count < Self.maximumWaiting, bytes <= Self.maximumWaitingBytes || waiting.isEmpty else {
            throw .queueFull(limit: waiting.count)
        }
        let request = MotionRequest(update, defaults: defaults, target: target, kind: name.kind)
        if request.animated { try request.checkRest(halfUnit: halfUnit) }
        revision += 1
        waiting.append(WaitingUpdate(update: update, target: target, animation: revision))
        return UpdateOutcome(animation: revision)
    }

    private func goal(of update: TrackUpdate) throws(CommandError) -> ExactDecimal {
        switch update.goal {
        case .to(let value): return value
        case .by(let amount):
            guard let sum = (waiting.last?.target ?? target).adding(amount) else {
                throw .invalid(field: "by", reason: "the sum needs more than 38 digits")
            }
            return sum
        case nil: return waiting.last?.target ?? target
        }
    }

    private mutating func start(
        _ update: TrackUpdate, request: MotionRequest, planner: any Planner, at now: Instant,
        animation waited: UInt64? = nil
    ) throws(CommandError) -> UpdateOutcome {
        var outcome = UpdateOutcome()
        let origin: Position = update.from.map { .exact($0) } ?? position(at: now)
        let inherited = update.from == nil && (update.interruption ?? defaults.interruption ?? .retarget) == .retarget
        let previous = run
        try adoptDecimals(of: request.target, planner: planner)
        revision += 1
        let animation = waited ?? revision
        outcome.animation = animation
        target = request.target
        let motion = try motion(
            request, from: origin.double, continuing: inherited ? previous?.motion : nil, at: now)
        run = Run(
            motion: motion, animation: animation, request: request, origin: origin, then: update.then,
            milestones: milestones(update.milestones ?? defaults.milestones ?? [], beyond: origin.double),
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
        let course = try request.course(
            duration: request.duration(learnt: learnt), distance: end - start, halfUnit: halfUnit)
        var motion: Motion
        if let previous, request.relativeVelocity == 0 {
            motion = previous.retargeted(to: end, course: course, at: now, clamped: request.clamp)
        } else {
            motion = Motion(
                from: start, to: end, course: course, startingAt: now,
                velocity: request.relativeVelocity * (end - start), clamped: request.clamp)
        }
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
        EndedRun(animation: run.animation, reason: reason, reading: reading(at: now), then: run.then)
    }

    private mutating func adoptDecimals(of value: ExactDecimal, planner: any Planner) throws(CommandError) {
        switch face {
        case .ticker(let ticker):
            face = .ticker(try ticker.adopting(inferredDecimals: value.scale, planner: planner))
        case .progress(let progress):
            face = .progress(try progress.adopting(inferredDecimals: value.scale, planner: planner))
        }
    }
}
