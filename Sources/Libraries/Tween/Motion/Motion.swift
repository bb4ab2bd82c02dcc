// A number on its way: where from, where to, how and since when. Every frame is a pure function of it and of time.
// It reads no clock, keeps no history and grows with nothing: a thousand retargets leave one motion of the same size.

/// The movement of one number along the timeline.
public struct Motion: Hashable, Sendable {
    /// The value at the start.
    public let from: Double
    /// The target.
    public let to: Double
    /// How it gets there.
    public let course: Course
    /// Values on the way; nil where the target is all there is. Its course's easing has no bearing then: each keyframe has
    /// its own.
    public let keyframes: Keyframes?
    /// The velocity at the start, in units per second of own time: handed over from the motion before, or the
    /// initial velocity of a spring.
    public let handover: Double
    /// Whether the value may go past its target, or back.
    public let overshoot: Overshoot
    /// How own time runs.
    public internal(set) var playback: Playback

    /// How the first cycle takes the handover over.
    package let velocityMatch: VelocityMatch
    /// The run of a spring's first cycle; at rest for a timed motion.
    let oscillation: Oscillation
    /// Seconds of one cycle, which for a spring is the time in which it settles; infinite for one that never does.
    public let cycleDuration: Double
    /// Seconds of movement, delays not included; infinite for what never ends.
    let activeDuration: Double
    /// Own time at which the movement is over, the delay included: what decides that the value is the destination.
    var movementEnd: Double { delay + activeDuration }
    /// One forward cycle: own time needs no bounds then.
    let isPlain: Bool
    /// Where the value keeps; everything unless it is to keep anywhere.
    package let range: ClosedRange<Double>
    /// Seconds after its delay from which it stays at its target; infinite where its curve decides.
    package let arrival: Double

    /// A motion by its fields, as a store keeps them.
    package init(
        from: Double, to: Double, course: Course, along keyframes: Keyframes? = nil, handover: Double,
        overshoot: Overshoot,
        playback: Playback
    ) {
        self.init(
            from: from, to: to, course: course, along: keyframes, handover: handover, overshoot: overshoot,
            playback: playback, leastCycle: 0)
    }

    /// - Parameter leastCycle: Seconds that a cycle of a spring with several takes at least, since others keep step with it.
    init(
        from: Double, to: Double, course: Course, along keyframes: Keyframes? = nil, handover: Double,
        overshoot: Overshoot,
        playback: Playback, leastCycle: Double
    ) {
        // A spring has one way.
        let keyframes = course.isTimed ? keyframes : nil
        (self.from, self.to, self.course, self.keyframes) = (from, keyframes?.end ?? to, course, keyframes)
        // What may never go back has no use for a velocity that leads there.
        let isAway = overshoot == .neverDecrease && handover * (to - from) < 0
        let handover = handover.isFinite && !isAway ? handover : 0
        self.handover = handover
        self.overshoot = overshoot
        self.playback = playback
        switch course {
        case .timed(let timing):
            velocityMatch =
                keyframes.map { VelocityMatch(timing, along: $0, from: from, velocity: handover) }
                ?? VelocityMatch(timing, distance: to - from, velocity: handover)
            oscillation = Oscillation(.immediate, displacement: 0, velocity: 0)
            cycleDuration = timing.duration
            activeDuration = timing.activeDuration
            isPlain = timing.isPlain && keyframes == nil
        case .spring(let spring, _, _, .once, let threshold):
            velocityMatch = .none
            oscillation = Oscillation(spring, displacement: from - to, velocity: handover)
            cycleDuration = Self.settling(of: oscillation, within: threshold)
            activeDuration = cycleDuration
            isPlain = true
        case .spring(let spring, _, _, let cycles, let threshold):
            let released = Oscillation(spring, displacement: from - to, velocity: 0)
            let least = max(Self.settling(of: released, within: threshold), leastCycle)
            if cycles.beginsWhole {
                oscillation = Oscillation(spring, displacement: from - to, velocity: handover)
                cycleDuration = max(least, Self.settling(of: oscillation, within: threshold))
                velocityMatch = .none
            } else {
                // A cycle that isn't whole, or is gone from its end, has no place for a spring's own velocity.
                (oscillation, cycleDuration) = (released, least)
                velocityMatch = VelocityMatch(cycles, of: released, lasting: least, velocity: handover)
            }
            activeDuration = cycles.duration(of: cycleDuration)
            // The first cycle of a spring that never settles is all there is.
            isPlain = cycleDuration.isInfinite && cycles.beginsWhole
        }
        let holds = overshoot == .neverDecrease && isPlain && from != to
        arrival = holds ? Self.arrival(of: course, velocityMatch, oscillation, way: to - from) : .infinity
        range =
            overshoot != .allow
            ? Self.range(from: from, to: self.to, along: keyframes, velocity: handover) : Self.everything
    }

    /// A motion that starts at an instant, with a velocity in units per second of its own time.
    public init(
        from: Double, to: Double, course: Course, startingAt instant: Instant, velocity: Double = 0, rate: Double = 1,
        overshoot: Overshoot = .allow
    ) {
        self.init(
            from: from, to: to, course: course, handover: velocity, overshoot: overshoot,
            playback: Playback(start: instant, rate: rate))
    }

    /// A motion from keyframe to keyframe that starts at an instant, with a velocity in units per second of its own time. The
    /// easing of its timing has no bearing.
    public init(
        from: Double, along keyframes: Keyframes, timing: Timing, startingAt instant: Instant, velocity: Double = 0,
        overshoot: Overshoot = .allow
    ) {
        self.init(
            from: from, to: keyframes.end, course: .timed(timing), along: keyframes, handover: velocity,
            overshoot: overshoot, playback: Playback(start: instant))
    }

    /// Seconds before anything moves.
    public var delay: Double {
        switch course {
        case .timed(let timing): timing.delay
        case .spring(_, let delay, _, _, _): Self.seconds(delay)
        }
    }

    /// Seconds of own time at which the motion is complete, both delays included; infinite when it never is.
    public var endTime: Double {
        switch course {
        case .timed(let timing): timing.endTime
        case .spring(_, _, let endDelay, _, _): delay + activeDuration + Self.seconds(endDelay)
        }
    }

    /// Ends a spring's cycle as soon as its value stays within `tolerance` of the target for good; no effect on an easing.
    public mutating func settle(within tolerance: Double) {
        guard case .spring(let spring, let delay, let endDelay, let cycles, _) = course, tolerance > 0 else { return }
        self = Motion(
            from: from, to: to,
            course: .spring(spring, delay: delay, endDelay: endDelay, cycles: cycles, threshold: tolerance),
            handover: handover, overshoot: overshoot, playback: playback)
    }

    /// Ends a spring once it has come to rest: when its value stays within a thousandth of its travel and within
    /// `resolution` as well, whichever comes later. No effect on an easing.
    ///
    /// The travel is the distance, or v / w, as far as the velocity at the start would take the undamped spring, where
    /// that is more. A resolution under 10⁻¹² of the travel counts as that: sixteen
    /// digits of a number are all that a double has.
    public mutating func settleAtRest(resolution: Double) {
        guard case .spring(let spring, _, _, _, _) = course else { return }
        let travel = max((to - from).magnitude, handover.magnitude / spring.angularFrequency)
        settle(within: max(min(travel * Self.restShare, resolution), travel * Self.finestShare))
    }

    /// The share of its travel within which a spring is at rest, by which its settling duration is reckoned too.
    private static let restShare = 0.001
    /// The share of the travel under which no spring is told apart from its end.
    private static let finestShare = 1e-12

    /// A spring's delay; negative ones, which would start it in the middle, count as 0.
    @inline(__always)
    static func seconds(_ delay: Double) -> Double {
        delay > 0 && delay.isFinite ? delay : 0
    }

    private static let everything = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

    /// The settling time; a threshold finer than doubles can tell apart counts as the finest they can.
    private static func settling(of oscillation: Oscillation, within threshold: Double) -> Double {
        let scale = max(oscillation.start.magnitude, oscillation.startVelocity.magnitude)
        let finest = max(scale * 1e-12, .leastNormalMagnitude)
        return oscillation.settlingTime(tolerance: threshold > finest ? threshold : finest)
    }

    private static func range(
        from: Double, to: Double, along keyframes: Keyframes?, velocity: Double
    ) -> ClosedRange<Double> {
        let first = keyframes?.frames.first?.value ?? to
        let leadsAway = velocity * (first - from) < 0
        let low = leadsAway && from < first ? everything.lowerBound : min(from, to)
        let high = leadsAway && from > first ? everything.upperBound : max(from, to)
        guard low <= high else { return everything }
        guard let hull = keyframes?.hull else { return low...high }
        return min(low, hull.lowerBound)...max(high, hull.upperBound)
    }
}

extension Spring {
    /// A spring that is there at once.
    static let immediate = Spring(angularFrequency: .infinity, dampingRatio: 1)
}
