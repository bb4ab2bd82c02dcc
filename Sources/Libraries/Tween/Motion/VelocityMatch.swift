// Lets the first cycle of a motion take over a velocity smoothly. Computed once, when a motion is made.

/// The change to an easing's first cycle that lets it start with a given velocity.
///
/// With E the easing, p the progress, d the duration, D the distance, u the velocity and s = u d / D the velocity as a slope:
/// `chase` and `ramp` replace E(p), start with slope s and value 0 and end at 1 exactly. `swerve` and `turn` add a term in
/// units to D E(p); t are seconds of the cycle. Each needs constant memory after any number of retargets.
package struct VelocityMatch: Hashable, Sendable {
    /// How the easing is changed.
    package enum Form: Hashable, Sendable {
        /// E unchanged: there is no velocity to take over.
        case none
        /// 1 - (1 - E(p)) e^(-excess p), for s ≥ E'(0): faster at first, monotone if E is.
        case chase(excess: Double)
        /// E(p (c + (1 - c) p)) with c = s / E'(0), for 0 ≤ s < E'(0): slower at first, monotone if E is.
        case ramp(Double)
        /// E unchanged, plus `speed` t (1 - t / span)²: at most 4/27 |speed| span beside E.
        case swerve(speed: Double, span: Double)
        /// E from rest (E(p²)), plus the same term: for a velocity that leads away from the target.
        case turn(speed: Double, span: Double)
    }

    /// The curve of the first cycle.
    package enum Base: Hashable, Sendable {
        case easing
        /// Replaces an easing with a vertical start, whose slope no velocity matches.
        case linear
        /// Replaces a higher power, whose start is so flat that steady updates would keep the value at the start.
        case square

        init(_ easing: Easing) {
            switch easing {
            case .power(let curve) where curve.shape != .out && curve.exponent > 2: self = .square
            default: self = easing.slope(at: 0).isFinite ? .easing : .linear
            }
        }

        /// Returns the first cycle's easing, given that of all cycles.
        package func callAsFunction(_ easing: Easing) -> Easing {
            switch (self, easing) {
            case (.linear, _): .linear
            case (.square, .power(let curve)): .power(PowerCurve(unchecked: curve.shape, exponent: 2))
            default: easing
            }
        }
    }

    package let form: Form
    package let base: Base

    package static let none = VelocityMatch(form: .none, base: .easing)

    package init(form: Form, base: Base) {
        self.form = form
        self.base = base
    }

    /// Creates the match for a timed motion over `distance` that starts with `velocity` units per second of its own time.
    ///
    /// `steps()` takes nothing over: its treads are at rest and its jumps are intended.
    init(_ timing: Timing, distance: Double, velocity: Double) {
        let active = timing.activeDuration
        guard velocity != 0, velocity.isFinite, active > 0, timing.duration.isFinite, !timing.easing.jumps else {
            self = .none
            return
        }
        let startsForwards = timing.direction == .normal || timing.direction == .alternate
        if startsForwards, timing.iterations >= 1, timing.iterationStart == 0 {
            self.init(timing.easing, duration: timing.duration, distance: distance, velocity: velocity)
        } else {
            let position = timing.position(at: timing.delay, in: .active)
            let sign: Double = position.isForwards ? 1 : -1
            let own = sign * distance * timing.easing.slope(at: position.directed) / timing.duration
            let span = min(timing.duration, active)
            self.init(form: .swerve(speed: velocity - (own.isFinite ? own : 0), span: span), base: .easing)
        }
    }

    /// Creates the match for a motion with keyframes. It acts up to the first keyframe, which is passed exactly.
    init(_ timing: Timing, along keyframes: Keyframes, from start: Double, velocity: Double) {
        let isWhole = timing.iterations >= 1 && timing.iterationStart == 0
        let isForwards = timing.direction == .normal || timing.direction == .alternate
        let first = keyframes.frames.first { $0.offset > 0 }
        let span = timing.duration * (isWhole && isForwards ? first?.offset ?? 0 : 0)
        guard velocity != 0, span > 0, span.isFinite, first?.easing.jumps == false else {
            self = .none
            return
        }
        let own = keyframes.slope(at: 0, from: start) / timing.duration
        self.init(form: .swerve(speed: velocity - (own.isFinite ? own : 0), span: span), base: .easing)
    }

    /// Creates the match for a spring's first cycle that is partial or reversed.
    ///
    /// - Parameters:
    ///   - run: The spring's movement in one cycle.
    ///   - duration: Seconds of a cycle.
    ///   - velocity: Units per second of own time.
    init(_ cycles: Cycles, of run: Oscillation, lasting duration: Double, velocity: Double) {
        let span = min(duration, duration * cycles.iterations)
        guard velocity != 0, span > 0, span.isFinite else {
            self = .none
            return
        }
        let isForwards = cycles.direction == .normal || cycles.direction == .alternate
        let own = isForwards ? run.startVelocity : -run.velocity(at: duration)
        self.init(form: .swerve(speed: velocity - own, span: span), base: .easing)
    }

    private init(_ easing: Easing, duration: Double, distance: Double, velocity: Double) {
        let base = Base(easing)
        let startSlope = base(easing).slope(at: 0)
        let slope = velocity * duration / distance
        if !slope.isFinite || slope <= 0 {
            let form: Form =
                startSlope == 0
                ? .swerve(speed: velocity, span: duration) : .turn(speed: velocity, span: duration)
            self.init(form: form, base: base)
        } else if slope >= startSlope {
            self.init(form: .chase(excess: slope - startSlope), base: base)
        } else {
            self.init(form: .ramp(slope / startSlope), base: base)
        }
    }

    /// Returns the eased progress of the first cycle.
    func value(at progress: Double, of easing: Easing) -> Double {
        let base = base(easing)
        return switch form {
        case .none, .swerve: base.value(at: progress)
        case .chase(let excess): 1 - (1 - base.value(at: progress)) * exponential(-excess * progress)
        case .ramp(let c): base.value(at: progress * (c + (1 - c) * progress))
        case .turn: base.value(at: progress * progress)
        }
    }

    /// Whether a term is added to the easing.
    var hasAside: Bool {
        switch form {
        case .none, .chase, .ramp: false
        case .swerve, .turn: true
        }
    }

    /// Whether it has other turns than its easing, without a term beside it.
    var bends: Bool { if case .chase = form { true } else { false } }

    /// Returns the progress at which the easing has an input. For a ramp it solves p (c + (1 - c) p) = x.
    func share(ofInput x: Double) -> Double {
        guard x > 0, x < 1 else { return x }
        return switch form {
        case .none, .chase, .swerve: x
        case .ramp(let c): 2 * x / (c + (c * c + 4 * (1 - c) * x).squareRoot())
        case .turn: x.squareRoot()
        }
    }

    /// Returns the first cycle's output at a progress, given the easing's output there; without a term beside it.
    func output(at progress: Double, eased output: Double) -> Double {
        guard case .chase(let excess) = form else { return output }
        return 1 - (1 - output) * exponential(-excess * progress)
    }

    /// Returns the derivative of `value(at:of:)`.
    func slope(at progress: Double, of easing: Easing) -> Double {
        let base = base(easing)
        switch form {
        case .none, .swerve: return base.slope(at: progress)
        case .chase(let excess):
            let rest = (1 - base.value(at: progress)) * excess
            return (base.slope(at: progress) + rest) * exponential(-excess * progress)
        case .ramp(let c):
            let warped = progress * (c + (1 - c) * progress)
            return base.slope(at: warped) * (c + 2 * (1 - c) * progress)
        case .turn:
            return progress == 0 ? 0 : base.slope(at: progress * progress) * 2 * progress
        }
    }

    /// Returns the added term, in units, `time` seconds into the first cycle.
    @inline(__always)
    func aside(at time: Double) -> Double {
        switch form {
        case .swerve(let speed, let span), .turn(let speed, let span):
            guard time < span else { return 0 }
            let rest = 1 - time / span
            return speed * time * rest * rest
        case .none, .chase, .ramp: return 0
        }
    }

    /// Returns the derivative of `aside(at:)`, in units per second.
    func asideVelocity(at time: Double) -> Double {
        switch form {
        case .swerve(let speed, let span), .turn(let speed, let span):
            guard time < span else { return 0 }
            let share = time / span
            return speed * (1 - share) * (1 - 3 * share)
        case .none, .chase, .ramp: return 0
        }
    }
}

extension Easing {
    /// Whether the output is a staircase, which has no meaningful velocity.
    var jumps: Bool {
        if case .steps = self { true } else { false }
    }
}
