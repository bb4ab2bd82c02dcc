// A motion as it was asked for, defaults filled in: what two updates are compared by, and what a course is made from.

package import Base
package import Labels
package import Tween

/// The effective target and timing of one update.
package struct MotionRequest: Hashable, Sendable {
    package var target: ExactDecimal
    /// Values on the way, the target last; none where that is all there is.
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

    /// - Parameter update: With what `PUT` fixed.
    package init(_ update: TrackUpdate, target: ExactDecimal, kind: ResourceKind) {
        self.target = target
        if case .along(let waypoints) = update.goal { self.waypoints = waypoints } else { waypoints = [] }
        length = update.length ?? .seconds(kind == .progress ? 0.5 : 2)
        delay = update.delay ?? 0
        endDelay = update.endDelay ?? 0
        let usual = TrackUpdate.Curve.easing(kind == .progress ? .cssEaseInOut : .linear)
        // A spring has one way, whatever `PUT` fixed.
        if !waypoints.isEmpty, case .spring = update.curve { curve = usual } else { curve = update.curve ?? usual }
        repeats = update.repeats ?? 0
        repeatDelay = update.repeatDelay ?? 0
        autoreverse = update.autoreverse ?? false
        direction = update.direction ?? .normal
        rate = update.rate ?? 1
        clamp = update.clamp ?? .allow
        animated = update.animated ?? true
    }

    /// Whether it may move away from where it ends.
    var goesToAndFro: Bool { repeats > 0 || autoreverse || !waypoints.isEmpty }

    /// The shortest motion an automatic length learns, in seconds: below it two updates are one.
    static let shortestAutomatic = 0.05
    /// The longest motion an automatic length learns, in seconds: a feed slower than that has paused.
    static let longestAutomatic = 60.0

    /// Seconds of one cycle's way.
    func duration(learnt: Double?) -> Double {
        switch length {
        case .seconds(let seconds): seconds
        case .automatic: min(max(learnt ?? 2, Self.shortestAutomatic), Self.longestAutomatic)
        }
    }

    /// The course of the motion.
    /// - Parameter halfUnit: Half a unit of the last shown digit. A spring is not over before it stays within that; its
    ///   motion, which knows how far it goes, says when it is: `Motion.settleAtRest(resolution:)`.
    /// - Throws: `CommandError.invalid` naming `spring` where it never settles.
    func course(duration: Double, halfUnit: Double) throws(CommandError) -> Motion.Course {
        switch curve {
        case .easing(let easing):
            return .timed(
                Timing(
                    duration: duration, delay: delay, endDelay: endDelay, cycles: cycles,
                    easing: waypoints.isEmpty ? easing : .linear))
        case .spring(let specification):
            return .spring(
                try spring(specification, duration: duration), delay: delay, endDelay: endDelay, cycles: cycles,
                threshold: halfUnit)
        }
    }

    /// The keyframes of the motion; nil where the target is all there is.
    package var keyframes: Keyframes? {
        let usual = if case .easing(let easing) = curve { easing } else { Easing.linear }
        return Keyframes(waypoints.map { Keyframes.Frame($0.target.double, at: $0.offset, easing: $0.easing ?? usual) })
    }

    /// Refuses a spring that never comes to rest, wherever it would set out from.
    func checkRest(halfUnit: Double) throws(CommandError) {
        guard case .spring = curve else { return }
        // Far enough that something is to be seen.
        let distance = max(1, 1_000 * halfUnit)
        let course = try course(duration: duration(learnt: nil), halfUnit: halfUnit)
        var motion = Motion(
            from: 0, to: distance, course: course, startingAt: Instant(nanoseconds: 0),
            velocity: relativeVelocity * distance)
        motion.settleAtRest(resolution: halfUnit)
        try Self.checkEnd(of: motion)
    }

    /// Refuses a motion by a spring that never comes to rest: every accepted update gets its completion, unless its `repeat`
    /// asks for none.
    static func checkEnd(of motion: Motion) throws(CommandError) {
        guard case .spring = motion.course, motion.cycleDuration > TrackUpdate.maximumSeconds else { return }
        throw .invalid(
            field: "spring", reason: "the spring would not come to rest within 365 days; give it more damping")
    }

    /// Refuses a curve that goes back where the number never may.
    private func checkSteadiness() throws(CommandError) {
        guard clamp == .neverDecrease, case .easing(let easing) = curve, !easing.isSteady else { return }
        throw .invalid(
            field: "easing", reason: "\(easing) goes back on its way; with clamp never-decrease take one that doesn't")
    }

    /// Refuses a motion that runs backwards and has no end to begin at.
    private func checkBeginning() throws(CommandError) {
        guard rate < 0, repeats.isInfinite else { return }
        throw .invalid(
            field: "rate", reason: "a motion that runs backwards begins at its end, and one repeated forever has none")
    }

    /// Refuses a motion that can't be.
    func check() throws(CommandError) {
        try checkBeginning()
        try checkSteadiness()
    }

    /// The spring's own initial velocity: 1 is the whole distance in one second.
    package var relativeVelocity: Double {
        switch curve {
        case .easing: 0
        case .spring(.settling(_, let velocity)), .spring(.spring(_, let velocity)): velocity
        }
    }

    /// How often the way is gone, and in which direction. With `autoreverse` a cycle is there and back, each way taking the
    /// duration, as UIKit has it.
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

    /// Where a number will rest that sets out from `origin`.
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

    private func spring(_ specification: SpringSpecification, duration: Double) throws(CommandError) -> Spring {
        switch specification {
        case .spring(let spring, _):
            return spring
        case .settling(let dampingRatio, _):
            do {
                return try Spring(
                    dampingRatio: dampingRatio, settledWithin: duration, initialVelocity: relativeVelocity,
                    isRepeated: cycles != .once)
            } catch {
                throw .invalid(field: "spring", reason: "\(error)")
            }
        }
    }
}
