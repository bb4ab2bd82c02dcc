// How a track applies an update. Works on a copy that the engine owns; the engine drops it after an error, and if nothing
// changed.

import Base
import Labels
import Tween

/// A run that has ended.
struct EndedRun {
    let run: Run
    let reason: CompletionReason
    let reading: Reading
    /// Whether it took no time.
    var isInstant = false

    /// The actions that its end starts.
    var next: ActionList? { reason == .finished ? run.then : run.otherwise }
}

extension Track {
    /// The effect of an accepted update.
    struct UpdateOutcome {
        /// The motion that the update started, waits to start, or left as it is; nil if there is none.
        var animation: UInt64?
        /// Whether the update started that motion.
        var startsMotion = false
        /// Whether the update changed nothing.
        var unchanged = false
        /// Whether its sequence number isn't above the last one.
        var isLate = false
        /// The motion that this update superseded.
        var ended: EndedRun?
    }

    /// Applies `PUT`: label, format and default timing; nothing moves.
    mutating func define(_ definition: TrackUpdate, planner: any Planner, at now: Instant) throws(CommandError) {
        self.definition = definition
        timeToLive = definition.timeToLive
        touch(at: now)
        let asked = rendering.spec.applying(in: definition, replacing: true)
        if asked.maximum != rendering.spec.maximum { run = run?.with(maximum: nil) }
        let known = rendering
        rendering = try rendering.applying(as: asked, for: target, planner: planner)
        observeInitial(after: known, at: now)
        let request = MotionRequest(definition, target: target, kind: name.kind)
        try request.check()
        if request.animated { try request.checkRest(halfUnit: halfUnit) }
        revision += 1
        aimWaiting()
    }

    /// Applies `POST`: starts, retargets, queues or rejects a motion.
    /// - Parameter lead: Seconds of the timeline before the motion's own delay; ignored for an update that waits.
    mutating func update(
        _ sent: TrackUpdate, lead: Double = 0, planner: any Planner, at now: Instant
    ) throws(CommandError) -> UpdateOutcome {
        if let number = sent.sequence {
            if let last = sequence, number <= last {
                return UpdateOutcome(animation: run?.animation, unchanged: true, isLate: true)
            }
            sequence = number
        }
        // Most updates need no completion and are not copied.
        guard $definition || sent.isDecay else {
            return try apply(sent, sent: sent, lead: lead, planner: planner, at: now)
        }
        let update = try resolved(completed(sent), planner: planner, at: now)
        return try apply(update, sent: sent, lead: lead, planner: planner, at: now)
    }

    /// - Parameters:
    ///   - update: The update, completed with the fields of `PUT`.
    ///   - sent: The update as it was sent.
    private mutating func apply(
        _ update: TrackUpdate, sent: TrackUpdate, lead: Double, planner: any Planner, at now: Instant
    ) throws(CommandError) -> UpdateOutcome {
        // What waits comes after the running motion; anything else takes that over.
        let present = update.interruption == .queue ? lastRest : target
        let goal = try update.goal(from: present)
        // The pace of a progress needs the state before; a ticker has no pace.
        let before = name.kind == .progress ? self : nil
        let asked = spec(after: update, for: goal)
        if sent.isOfRenderingAlone,
            let changed = try reapply(as: asked ?? rendering.spec, update, for: goal, planner: planner, at: now)
        {
            return changed
        }
        let applying = try rendering.applying(as: asked, for: goal, planner: planner)
        let keepsLife = keepsTimeToLive(update)
        if let seconds = update.timeToLive { timeToLive = seconds }
        var request = MotionRequest(update, target: goal, kind: name.kind)
        guard request.begin(later: lead) else {
            let place = sent.$start ? "" : ", its place in the batch included"
            throw .invalid(
                field: sent.$start ? "start" : "delay", reason: "begins more than 365 days from now\(place)")
        }
        try request.check()
        let isSame =
            !needsOwnMotion(request, update.interruption)
            && run?.does(request, then: update.then, otherwise: update.otherwise) ?? false
        let isBeaten = revision > 0 && update.isBeaten(by: present)
        if update.from == nil, isBeaten || isSame && asked.map(rendering.isMade) ?? true {
            return stay(update, sent: sent, isEqual: !isBeaten, keepsLife: keepsLife, at: now)
        }
        touch(at: now)
        if pausedSince == nil { cadence.observe(now) }
        if run != nil {
            switch update.interruption ?? .retarget {
            case .reject: throw .running(name)
            case .queue: return try wait(sent, request)
            case .retarget, .replace: break
            }
        }
        let ended = run.map { self.ended($0, .superseded, at: now) }
        let standing = standing(at: now)
        rendering = applying
        let animation = try start(update, request: request, from: standing, at: now)
        if let before { observeStart(after: before, at: now) }
        return UpdateOutcome(animation: animation, startsMotion: true, ended: ended)
    }

    /// Returns the specification of the rendering after an update; nil if it stays as it is.
    func spec(after update: TrackUpdate, for goal: ExactDecimal) -> LabelSpec? {
        let asked = update.keeps(rendering) ? nil : rendering.spec.applying(in: update)
        // A task with a lower target begins again: nothing of it was done before.
        guard initial != nil, update.initial == nil, goal < target else { return asked }
        return (asked ?? rendering.spec).startingOver
    }

    private func keepsTimeToLive(_ update: TrackUpdate) -> Bool {
        update.timeToLive == nil || update.timeToLive == timeToLive
    }

    /// Changes only how the number is shown.
    /// - Returns: nil if the change is a motion of its own.
    private mutating func reapply(
        as asked: LabelSpec, _ update: TrackUpdate, for goal: ExactDecimal, planner: any Planner, at now: Instant
    ) throws(CommandError) -> UpdateOutcome? {
        guard name.kind == .ticker else { return try change(as: asked, update, planner: planner, at: now) }
        let applying = try rendering.applying(as: asked, for: goal, planner: planner)
        // A ticker that this update creates has its rendering already.
        let isUnchanged =
            rendering.isMade(of: asked) && revision > 0 && update.sequence == nil && keepsTimeToLive(update)
        if let seconds = update.timeToLive { timeToLive = seconds }
        guard !isUnchanged else {
            return UpdateOutcome(animation: run?.animation, unchanged: true)
        }
        rendering = applying
        touch(at: now)
        revision += 1
        return UpdateOutcome(animation: run?.animation)
    }

    /// Changes what a progress shows. A running motion continues, and a new maximum is reached when it ends.
    /// - Returns: nil if the change is a motion of its own: of a maximum while nothing moves, or of a new progress.
    private mutating func change(
        as asked: LabelSpec, _ update: TrackUpdate, planner: any Planner, at now: Instant
    ) throws(CommandError) -> UpdateOutcome? {
        let shown = maximum(at: now)
        let goesOn = run.map { $0.remaining(at: now) > 0 } ?? false
        let approaches = shown != nil && asked.maximum != nil && shown != asked.maximum
        guard revision > 0, goesOn || !approaches else { return nil }
        let isSame =
            update.sequence == nil && rendering.isMade(of: asked) && keepsTimeToLive(update)
        guard !isSame else { return UpdateOutcome(animation: run?.animation, unchanged: true) }
        if asked.maximum != rendering.spec.maximum { run = run?.with(maximum: nil) }
        let known = rendering
        rendering = try rendering.applying(as: asked, for: run?.request.target ?? target, planner: planner)
        observeInitial(after: known, at: now)
        if let shown, let goal = asked.maximum, goal != shown, let run, run.maximum == nil {
            self.run = run.with(maximum: run.change(ofMaximum: shown, to: goal, at: now))
        }
        if let seconds = update.timeToLive { timeToLive = seconds }
        touch(at: now)
        revision += 1
        return UpdateOutcome(animation: run?.animation)
    }

    /// Returns the update, completed with the fields of `PUT`.
    func completed(_ update: consuming TrackUpdate) -> TrackUpdate {
        guard let definition else { return update }
        update.inherit(from: definition)
        // A run and its record have one owner.
        return update.posted(by: update.owner)
    }

    /// Starts a motion; the rendering is already the update's.
    /// - Parameter standing: What was shown before.
    /// - Returns: The motion's identifier.
    mutating func start(
        _ update: TrackUpdate, request: MotionRequest, from standing: Standing, at now: Instant,
        animation waited: UInt64? = nil
    ) throws(CommandError) -> UInt64 {
        let origin: Position = update.from.map { .exact($0) } ?? standing.position
        let inherited = update.from == nil && (update.interruption ?? .retarget) == .retarget
        revision += 1
        let animation = waited ?? revision
        // If `from` restarts the number, the bar starts there, too.
        let change = update.from == nil ? try maximumCourse(request, from: standing.maximum) : nil
        let motion = try motion(
            request, from: origin.double, continuing: inherited ? standing.motion : nil, with: change, at: now)
        // A motion that begins at its target crosses nothing on its way there.
        let start =
            motion.playback.rate < 0 || motion.course.cycles.beginsBackwards ? motion.value(at: now) : origin.double
        let milestones = update.milestones ?? []
        let run = Run(
            motion: motion,
            maximum: change.map {
                MaximumChange(from: $0.from, to: $0.to, course: $0.course, playback: motion.playback)
            },
            animation: animation, request: request, origin: origin, then: update.then, otherwise: update.otherwise,
            milestones: milestones.filter { $0.double != start },
            crossed: milestones.filter { $0.double == start }, milestoneActions: update.milestoneActions,
            lastValue: start)
        self.run = run
        aim(at: rest(of: run), from: now)
        return animation
    }

    /// What a track shows before a new motion.
    struct Standing {
        var position: Position
        /// The motion that the new one continues.
        var motion: Motion?
        var maximum: Double?
    }

    func standing(at now: Instant) -> Standing {
        Standing(position: position(at: now), motion: shownMotion(at: now), maximum: maximum(at: now))
    }

    /// A motion of the maximum, in the local time of the run's motion.
    private typealias MaximumWay = (from: Double, to: Double, course: Motion.Course)

    /// Returns the motion of the maximum; nil if the maximum does not change, or changes at once.
    private func maximumCourse(
        _ request: MotionRequest, from shown: Double?
    ) throws(CommandError) -> MaximumWay? {
        guard let shown, let goal = rendering.spec.maximum, goal != shown, request.animated else { return nil }
        let duration = request.duration(learnt: cadence.duration)
        let course = try request.maximumCourse(duration: duration, distance: goal - shown)
        let motion = Motion(from: shown, to: goal, course: course, startingAt: Instant(nanoseconds: 0))
        try MotionRequest.checkEnd(of: motion)
        guard motion.endTime > 0 else { return nil }
        // What runs backwards begins at its end.
        return request.rate < 0 ? (goal, shown, course) : (shown, goal, course)
    }

    private func motion(
        _ request: MotionRequest, from start: Double, continuing previous: Motion?, with maximum: MaximumWay?,
        at now: Instant
    ) throws(CommandError) -> Motion {
        let end = request.target.double
        let moves =
            request.animated && (start != end || !request.waypoints.isEmpty || (previous?.velocity(at: now) ?? 0) != 0)
        let learnt = cadence.duration
        if !moves, let maximum { return waiting(for: maximum, request, at: start, now) }
        guard moves else {
            guard request.animated else {
                return Motion(from: start, to: end, course: .timed(Timing(duration: 0)), startingAt: now)
            }
            try request.checkRest(halfUnit: halfUnit)
            // There is no way that could take time, but its delays do.
            let still = Timing(duration: 0, delay: request.delay, endDelay: request.endDelay)
            var motion = Motion(from: start, to: end, course: .timed(still), startingAt: now)
            if motion.endTime > 0 { motion.begin(at: now, rate: request.rate) }
            return motion
        }
        let duration = request.duration(learnt: learnt)
        var course = try request.course(duration: duration, halfUnit: halfUnit, over: end - start)
        var motion = started(request, from: start, continuing: previous, along: course, at: now)
        if request.settlesInDuration, motion.handover != 0 {
            course = try request.course(
                duration: duration, halfUnit: halfUnit, over: end - motion.from, velocity: motion.handover)
            motion = started(request, from: start, continuing: previous, along: course, at: now)
        }
        motion.settleAtRest(resolution: halfUnit)
        try MotionRequest.checkEnd(of: motion)
        motion.begin(at: now, rate: request.rate)
        return motion
    }

    /// Returns a motion from its start, or with the value and the velocity of the previous one.
    private func started(
        _ request: MotionRequest, from start: Double, continuing previous: Motion?, along course: Motion.Course,
        at now: Instant
    ) -> Motion {
        let end = request.target.double
        if let previous, request.relativeVelocity == 0, request.rate >= 0 {
            return previous.retargeted(
                to: end, course: course, along: request.keyframes, at: now, overshoot: request.clamp,
                rate: request.rate)
        }
        return Motion(
            from: start, to: end, course: course, along: request.keyframes,
            handover: request.relativeVelocity * (end - start), overshoot: request.clamp,
            playback: Playback(start: now))
    }

    /// Returns a motion that keeps the value while its maximum moves, and lasts as long.
    private func waiting(for maximum: MaximumWay, _ request: MotionRequest, at value: Double, _ now: Instant) -> Motion
    {
        let span = Motion(from: maximum.from, to: maximum.to, course: maximum.course, startingAt: now)
        // The value does not move; the easing is only reported.
        let easing = if case .easing(let easing) = request.curve { easing } else { Easing.linear }
        let timing = Timing(
            duration: span.endTime - span.delay, delay: request.delay, endDelay: request.endDelay, easing: easing)
        var motion = Motion(from: value, to: value, course: .timed(timing), startingAt: now)
        motion.begin(at: now, rate: request.rate)
        return motion
    }

    /// Half a unit of the last shown digit; for a progress, of a thousandth of the bar.
    var halfUnit: Double {
        switch rendering {
        case .ticker(let ticker): ticker.halfUnit
        case .progress(let progress): progress.halfUnit
        }
    }

    /// Leaves the motion as it is, because an update equals it or loses to its target.
    private mutating func stay(
        _ update: TrackUpdate, sent: TrackUpdate, isEqual: Bool, keepsLife: Bool, at now: Instant
    ) -> UpdateOutcome {
        // An action that declines those of `PUT` doesn't take them from a motion that has them.
        let namesMilestones = isEqual && (sent.milestones != nil || !sent.declinesActions)
        let hasOthers = namesMilestones && replaceMilestones(of: update, at: now)
        // The sequence number and the life still count.
        let isUnchanged = sent.sequence == nil && keepsLife && !hasOthers
        if !isUnchanged { revision += 1 }
        if !keepsLife || hasOthers { touch(at: now) }
        return UpdateOutcome(animation: run?.animation, unchanged: isUnchanged)
    }

    /// Gives the running motion the milestones of an update that is equal to it otherwise, but for those that it has crossed.
    /// - Returns: Whether it had others.
    private mutating func replaceMilestones(of update: TrackUpdate, at now: Instant) -> Bool {
        guard let run, let asked = update.milestones else { return false }
        var ahead = asked.filter { !run.crossed.contains($0) }
        // Those that it doesn't name are forgotten, so that ever new ones don't add up.
        var crossed = run.crossed.filter { asked.contains($0) }
        guard Set(ahead) != Set(run.milestones) || update.milestoneActions != run.milestoneActions else { return false }
        let shown = value(at: now)
        crossed += ahead.filter { $0.double == shown }
        ahead.removeAll { $0.double == shown }
        // Where it turned before is no way across the new ones.
        self.run = run.playing { $0.setRate($0.playback.rate, at: now) }
            .with(milestones: ahead, crossed: crossed, update.milestoneActions, lastValue: shown)
        return true
    }

    func ended(_ run: Run, _ reason: CompletionReason, at now: Instant) -> EndedRun {
        EndedRun(run: run, reason: reason, reading: reading(at: now))
    }
}
