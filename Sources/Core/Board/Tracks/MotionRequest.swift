// A requested motion with defaults filled in. Updates are compared by it, and a course is made from it.

package import Base
package import Labels
package import Tween

/// The effective target and timing of one update.
package struct MotionRequest: Hashable, Sendable {
    package var target: ExactDecimal
    /// Keyframe values, the target last; empty when there is only the target.
    package var waypoints: [TrackUpdate.Waypoint]
    package var length: TrackUpdate.Length
    package var delay: Double
    package var endDelay: Double
    package var curve: TrackUpdate.Curve
    package var repeats: Double
    package var repeatDelay: Double
    package var autoreverse: Bool
    package var direction: Direction
    package var rate: Double
    package var clamp: Overshoot
    package var animated: Bool

    /// - Parameter update: An update that already includes the fields of `PUT`.
    package init(_ update: TrackUpdate, target: ExactDecimal, kind: ResourceKind) {
        self.target = target
        if case .along(let waypoints) = update.goal { self.waypoints = waypoints } else { waypoints = [] }
        length = update.length ?? .seconds(kind == .progress ? 0.5 : 2)
        delay = update.delay ?? 0
        endDelay = update.endDelay ?? 0
        let usual = TrackUpdate.Curve.easing(kind == .progress ? .cssEaseInOut : .linear)
        // Waypoints exclude a spring, even if `PUT` set one.
        if !waypoints.isEmpty, case .spring = update.curve { curve = usual } else { curve = update.curve ?? usual }
        repeats = update.repeats ?? 0
        repeatDelay = update.repeatDelay ?? 0
        autoreverse = update.autoreverse ?? false
        direction = update.direction ?? .normal
        rate = update.rate ?? 1
        clamp = update.clamp ?? .allow
        animated = update.animated ?? true
    }

    /// Seconds of the timeline before the motion begins; 0 for one that is held.
    private var beginning: Double { rate == 0 ? 0 : (rate < 0 ? endDelay : delay) / rate.magnitude }

    /// Has the motion begin later, before its own delay. One that runs backwards stays at its target until then.
    /// - Parameter lead: Seconds of the timeline.
    /// - Returns: Whether it then begins within `maximumSeconds`.
    mutating func begin(later lead: Double) -> Bool {
        guard lead > 0 else { return true }
        guard lead + beginning <= TrackUpdate.maximumSeconds else { return false }
        if rate < 0 { endDelay += lead * -rate } else { delay += lead * rate }
        return true
    }

    /// Whether the motion may move away from its end.
    var goesToAndFro: Bool { repeats > 0 || autoreverse || !waypoints.isEmpty }

    /// The shortest learnt duration, in seconds: updates that are closer together count as one.
    static let shortestAutomatic = 0.05
    /// The longest learnt duration, in seconds: a slower feed counts as paused.
    static let longestAutomatic = 60.0

    /// Returns the duration of one cycle, in seconds.
    func duration(learnt: Double?) -> Double {
        switch length {
        case .seconds(let seconds): seconds
        case .automatic: min(max(learnt ?? 2, Self.shortestAutomatic), Self.longestAutomatic)
        }
    }

    /// Returns the course of the motion.
    /// - Parameters:
    ///   - halfUnit: Half a unit of the last shown digit. A spring ends when it stays within that, and one that has the
    ///     duration is as stiff as it must be for that.
    ///   - distance: How far the motion goes.
    ///   - velocity: What it starts with, in units per second of own time.
    /// - Throws: `CommandError.invalid` naming `spring` if it never settles.
    func course(
        duration: Double, halfUnit: Double, over distance: Double, velocity: Double = 0
    ) throws(CommandError) -> Motion.Course {
        switch curve {
        case .easing(let easing):
            return .timed(
                Timing(
                    duration: duration, delay: delay, endDelay: endDelay, cycles: cycles,
                    easing: waypoints.isEmpty ? easing : .linear))
        case .spring(let specification):
            return .spring(
                try spring(specification, duration, halfUnit, over: distance, velocity), delay: delay,
                endDelay: endDelay, cycles: cycles, threshold: halfUnit)
        }
    }

    /// The keyframes of the motion; nil when there is only the target.
    package var keyframes: Keyframes? {
        let usual = if case .easing(let easing) = curve { easing } else { Easing.linear }
        return Keyframes(waypoints.map { Keyframes.Frame($0.target.double, at: $0.offset, easing: $0.easing ?? usual) })
    }

    /// Rejects a spring that never comes to rest from any start.
    func checkRest(halfUnit: Double) throws(CommandError) {
        guard case .spring = curve else { return }
        // A distance that is large enough to be visible.
        let distance = max(1, 1_000 * halfUnit)
        let velocity = relativeVelocity * distance
        let course = try course(
            duration: duration(learnt: nil), halfUnit: halfUnit, over: distance, velocity: velocity)
        var motion = Motion(
            from: 0, to: distance, course: course, startingAt: Instant(nanoseconds: 0), velocity: velocity)
        motion.settleAtRest(resolution: halfUnit)
        try Self.checkEnd(of: motion)
    }

    /// Rejects a spring motion that never comes to rest: every accepted update gets its completion, unless its `repeat` is
    /// infinite.
    static func checkEnd(of motion: Motion) throws(CommandError) {
        guard case .spring = motion.course, motion.cycleDuration > TrackUpdate.maximumSeconds else { return }
        throw .invalid(
            field: "spring", reason: "the spring would not come to rest within 365 days; give it more damping")
    }

    /// Rejects an easing and cycles that go back when `clamp` is never-decrease. With keyframes it is `clamp`.
    private func checkSteadiness() throws(CommandError) {
        guard clamp == .neverDecrease else { return }
        if case .easing(let easing) = curve, !easing.isSteady {
            throw .invalid(
                field: "easing",
                reason: "\(easing) goes back on its way; with clamp never-decrease, use an easing that doesn't")
        }
        guard waypoints.isEmpty, let field = fieldOfReturn else { return }
        throw .invalid(
            field: field,
            reason: "makes the number go back; set it to its standard, or use another clamp than never-decrease")
    }

    /// The field by which the motion goes back, or begins again where it started; nil for a single way.
    private var fieldOfReturn: String? {
        if repeats > 0 { return "repeat" }
        if autoreverse { return "autoreverse" }
        if direction != .normal { return "direction" }
        return rate < 0 ? "rate" : nil
    }

    /// Rejects a motion that runs backwards and has no end to start from.
    private func checkBeginning() throws(CommandError) {
        guard rate < 0, repeats.isInfinite else { return }
        throw .invalid(
            field: "rate", reason: "a motion that runs backwards begins at its end, and one repeated forever has none")
    }

    /// Rejects a motion with contradictory fields.
    func check() throws(CommandError) {
        try checkBeginning()
        try checkSteadiness()
    }

    /// The spring's initial velocity; 1 is the whole distance in one second.
    package var relativeVelocity: Double {
        switch curve {
        case .easing: 0
        case .spring(.settling(_, let velocity)), .spring(.spring(_, let velocity)): velocity
        }
    }

    /// The number and direction of the iterations. With `autoreverse` a cycle is there and back, and each way takes the
    /// duration, as in UIKit.
    private var cycles: Cycles {
        let course: Direction =
            switch (autoreverse, direction) {
            case (false, _): direction
            case (true, .normal), (true, .alternate): .alternate
            case (true, .reverse), (true, .alternateReverse): .alternateReverse
            }
        return Cycles(
            iterations: autoreverse ? 2 * (1 + repeats) : 1 + repeats, direction: course, repeatDelay: repeatDelay)
    }

    /// Returns where a number that starts at `origin` comes to rest.
    func rest(from origin: ExactDecimal) -> ExactDecimal {
        guard animated, goesToAndFro || rate < 0 || direction != .normal else { return target }
        let easing = if case .easing(let easing) = curve { easing } else { Easing.linear }
        let course = Motion.Course.timed(Timing(duration: 1, cycles: cycles, easing: easing))
        let share = Motion(
            from: 0, to: 1, course: course, handover: 0, overshoot: .allow,
            playback: Playback(start: Instant(nanoseconds: 0), rate: rate)
        ).destination
        if share == 1 { return target }
        if share == 0 { return origin }
        return ExactDecimal(origin.double + (target.double - origin.double) * share) ?? target
    }

    /// Whether it is a spring that is at rest after the duration.
    var settlesInDuration: Bool { if case .spring(.settling) = curve { true } else { false } }

    private func spring(
        _ specification: SpringSpecification, _ duration: Double, _ halfUnit: Double, over distance: Double,
        _ velocity: Double
    ) throws(CommandError) -> Spring {
        switch specification {
        case .spring(let spring, _):
            return spring
        case .settling(let dampingRatio, _):
            do {
                return try Spring(
                    dampingRatio: dampingRatio, atRestWithin: duration, over: distance, velocity: velocity,
                    resolution: halfUnit, isRepeated: cycles != .once)
            } catch {
                throw .invalid(field: "spring", reason: "\(error)")
            }
        }
    }
}
