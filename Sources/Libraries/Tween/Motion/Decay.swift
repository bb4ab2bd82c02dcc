// What is in motion and runs out: where it comes to rest follows from its velocity.

/// The way of a number that friction slows down, such as one that was flung.
///
/// The speed falls by the same share in equal times, x(t) = x₀ + v τ (1 - e^(-t/τ)), so it comes to rest v τ further on.
/// That is the critically damped spring of w = 1/τ that is let go x₀ away from there with v: its (x₀ - to + (v + w (x₀ - to)) t)
/// e^(-wt) has nothing left but the decay. So it runs as that spring, which also takes it to a whole number nearby.
public struct Decay: Hashable, Sendable {
    /// Seconds in which the speed falls to 1/e, about 37 %; at least a microsecond.
    public let timeConstant: Double
    /// Between which it comes to rest. What would go farther is slowed down sooner and stops at the bound; what is outside
    /// comes back to it.
    public let bounds: ClosedRange<Double>

    /// A decay; 0.325 seconds is what flung lists take.
    public init(
        timeConstant: Double = 0.325,
        bounds: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) {
        self.timeConstant = timeConstant >= 1e-6 && timeConstant.isFinite ? timeConstant : 1e-6
        self.bounds = bounds
    }

    /// Where it comes to rest from `start` with a velocity in units per second.
    public func target(from start: Double, velocity: Double) -> Double {
        min(max(start + velocity * timeConstant, bounds.lowerBound), bounds.upperBound)
    }

    /// The spring that takes it from `start` to `target`, which is its own target or near that.
    ///
    /// Before a bound the speed falls as fast as it must to arrive there without any.
    public func spring(from start: Double, to target: Double, velocity: Double) -> Spring {
        let isBraked = bounds.contains(start) && !bounds.contains(start + velocity * timeConstant)
        let frequency = isBraked ? (velocity / (target - start)).magnitude : 1 / timeConstant
        return Spring(angularFrequency: frequency, dampingRatio: 1)
    }
}

extension Motion {
    /// A motion that runs out from a velocity in units per second of its own time.
    ///
    /// - Parameters:
    ///   - step: what its end is a multiple of, as 1 for whole numbers; 0 leaves it where it comes to rest. An end within the
    ///     bounds of the decay stays there.
    ///   - delay: seconds before it sets out.
    public init(
        from start: Double, velocity: Double, decay: Decay, endingOn step: Double = 0, delay: Double = 0,
        startingAt instant: Instant
    ) {
        let velocity = velocity.isFinite ? velocity : 0
        let free = decay.target(from: start, velocity: velocity)
        let stepped = step > 0 ? (free / step).rounded() * step : free
        let target = stepped.isFinite ? min(max(stepped, decay.bounds.lowerBound), decay.bounds.upperBound) : free
        let spring = decay.spring(from: start, to: target, velocity: velocity)
        self.init(
            from: start, to: target, course: .spring(spring, delay: delay, endDelay: 0, threshold: 0),
            startingAt: instant, velocity: velocity)
        settleAtRest(resolution: step > 0 ? step / 2 : .infinity)
    }

    /// The motion that runs out from here, with the value and the velocity shown.
    public func runningOut(_ decay: Decay = Decay(), endingOn step: Double = 0, at instant: Instant) -> Motion {
        Motion(
            from: value(at: instant), velocity: velocity(at: instant), decay: decay, endingOn: step,
            startingAt: instant)
    }
}
