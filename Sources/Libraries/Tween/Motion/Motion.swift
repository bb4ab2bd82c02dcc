// A moving number: start, target, course and playback. Every frame is a pure function of it and of time. It reads no clock,
// keeps no history and doesn't grow: after a thousand retargets, the motion has the same size.

/// The movement of one number along the timeline.
public struct Motion: Hashable, Sendable {
    /// The value at the start.
    public let from: Double
    /// The target.
    public let to: Double
    /// How it gets there.
    public let course: Course
    /// Values on the way; nil for a direct way. With keyframes, the course's easing is unused, since each has its own.
    public let keyframes: Keyframes?
    /// The initial velocity, in units per second of own time: handed over from the previous motion, or that of a spring.
    public let handover: Double
    /// Whether the value may pass its target, or go back.
    public let overshoot: Overshoot
    /// How own time runs.
    public internal(set) var playback: Playback

    /// How the first cycle takes over the velocity.
    package let velocityMatch: VelocityMatch
    /// The run of a spring's first cycle; at rest for a timed motion.
    let oscillation: Oscillation
    /// Seconds of one cycle. For a spring its settling time, infinite if it never settles.
    public let cycleDuration: Double
    /// Seconds of movement without delays; infinite if it never ends.
    let activeDuration: Double
    /// The own time at which the movement is over, delay included. From then on the value is the destination.
    var movementEnd: Double { delay + activeDuration }
    /// One forward cycle, whose own time needs no clamping.
    let isPlain: Bool
    /// The range to which the value is clamped; everything if it isn't.
    package let range: ClosedRange<Double>
    /// Seconds after its delay from which it stays at its target; infinite if its curve decides.
    package let arrival: Double

    /// Creates a motion from stored fields.
    package init(
        from: Double, to: Double, course: Course, along keyframes: Keyframes? = nil, handover: Double,
        overshoot: Overshoot,
        playback: Playback
    ) {
        self.init(
            from: from, to: to, course: course, along: keyframes, handover: handover, overshoot: overshoot,
            playback: playback, leastCycle: 0)
    }

    /// - Parameter leastCycle: The least seconds of a repeating spring's cycle, since others keep step with it.
    init(
        from: Double, to: Double, course: Course, along keyframes: Keyframes? = nil, handover: Double,
        overshoot: Overshoot,
        playback: Playback, leastCycle: Double
    ) {
        // A spring has no keyframes.
        let keyframes = course.isTimed ? keyframes : nil
        (self.from, self.to, self.course, self.keyframes) = (from, keyframes?.end ?? to, course, keyframes)
        // A value that may never go back ignores a velocity in that direction.
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
                // A partial or reversed first cycle can't start with the spring's own velocity.
                (oscillation, cycleDuration) = (released, least)
                velocityMatch = VelocityMatch(cycles, of: released, lasting: least, velocity: handover)
            }
            activeDuration = cycles.duration(of: cycleDuration)
            // A spring that never settles stays in its first cycle.
            isPlain = cycleDuration.isInfinite && cycles.beginsWhole
        }
        let holds = overshoot == .neverDecrease && isPlain && from != to
        arrival = holds ? Self.arrival(of: course, velocityMatch, oscillation, way: to - from) : .infinity
        range =
            overshoot != .allow
            ? Self.range(from: from, to: self.to, along: keyframes, velocity: handover) : Self.everything
    }

    /// Creates a motion that starts at an instant, with a velocity in units per second of its own time.
    public init(
        from: Double, to: Double, course: Course, startingAt instant: Instant, velocity: Double = 0, rate: Double = 1,
        overshoot: Overshoot = .allow
    ) {
        self.init(
            from: from, to: to, course: course, handover: velocity, overshoot: overshoot,
            playback: Playback(start: instant, rate: rate))
    }

    /// Creates a motion through keyframes that starts at an instant, with a velocity in units per second of its own time.
    /// The timing's easing is unused.
    public init(
        from: Double, along keyframes: Keyframes, timing: Timing, startingAt instant: Instant, velocity: Double = 0,
        overshoot: Overshoot = .allow
    ) {
        self.init(
            from: from, to: keyframes.end, course: .timed(timing), along: keyframes, handover: velocity,
            overshoot: overshoot, playback: Playback(start: instant))
    }

    /// Seconds before anything moves.
    public var delay: Double { Self.delay(of: course) }

    /// Returns the delay of a course; 0 for a spring's that is negative or infinite.
    static func delay(of course: Course) -> Double {
        switch course {
        case .timed(let timing): timing.delay
        case .spring(_, let delay, _, _, _): Self.seconds(delay)
        }
    }

    /// Seconds of own time at which the motion is complete, both delays included; infinite if it never is.
    public var endTime: Double {
        switch course {
        case .timed(let timing): timing.endTime
        case .spring(_, _, let endDelay, _, _): delay + activeDuration + Self.seconds(endDelay)
        }
    }

    /// Ends a spring's cycle once its value stays within `tolerance` of the target. Doesn't affect an easing.
    public mutating func settle(within tolerance: Double) {
        guard case .spring(let spring, let delay, let endDelay, let cycles, _) = course, tolerance > 0 else { return }
        self = Motion(
            from: from, to: to,
            course: .spring(spring, delay: delay, endDelay: endDelay, cycles: cycles, threshold: tolerance),
            handover: handover, overshoot: overshoot, playback: playback)
    }

    /// Ends a spring once it is at rest: when its value stays within a thousandth of its travel and within `resolution`,
    /// whichever comes later. Doesn't affect an easing.
    ///
    /// The travel is the distance, or v / w, as far as the initial velocity takes the undamped spring, if that is more. A
    /// resolution under 10⁻¹² of the travel counts as that, since a double has only sixteen digits.
    public mutating func settleAtRest(resolution: Double) {
        guard case .spring(let spring, _, _, _, _) = course else { return }
        settle(within: spring.restTolerance(over: to - from, velocity: handover, resolution: resolution))
    }

    /// Returns a spring's delay. A negative one would start it in the middle, and counts as 0.
    @inline(__always)
    static func seconds(_ delay: Double) -> Double {
        delay > 0 && delay.isFinite ? delay : 0
    }

    private static let everything = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

    /// Returns the settling time. The threshold is at least what doubles can resolve.
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
    /// A spring that arrives at once.
    static let immediate = Spring(angularFrequency: .infinity, dampingRatio: 1)
}
