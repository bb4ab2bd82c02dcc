// Decaying motion: a number slows down from a velocity, which determines where it stops.

/// The course of a number slowed by friction, for example after a fling.
///
/// The speed falls by the same share in equal times, x(t) = x₀ + v τ (1 - e^(-t/τ)), so it stops v τ further on. That is the
/// critically damped spring of w = 1/τ, released x₀ away from there with v: in its (x₀ - to + (v + w (x₀ - to)) t) e^(-wt),
/// only the decay remains. So it runs as that spring, which can also take it to an integer nearby.
public struct Decay: Hashable, Sendable {
    /// Seconds in which the speed falls to 1/e, about 37 %; at least a microsecond.
    public let timeConstant: Double
    /// The bounds of its end. A faster motion is braked and stops at the bound; one that starts outside returns to it.
    public let bounds: ClosedRange<Double>

    /// Creates a decay; 0.325 seconds is usual for flung lists.
    public init(
        timeConstant: Double = 0.325,
        bounds: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) {
        self.timeConstant = timeConstant >= 1e-6 && timeConstant.isFinite ? timeConstant : 1e-6
        self.bounds = bounds
    }

    /// Returns where it stops from `start` with a velocity in units per second.
    public func target(from start: Double, velocity: Double) -> Double {
        min(max(start + velocity * timeConstant, bounds.lowerBound), bounds.upperBound)
    }

    /// Returns the spring that takes it from `start` to `target`, which is its natural target or near it.
    ///
    /// Before a bound, the speed falls as fast as needed to arrive there at rest.
    public func spring(from start: Double, to target: Double, velocity: Double) -> Spring {
        let isBraked = bounds.contains(start) && !bounds.contains(start + velocity * timeConstant)
        let frequency = isBraked ? (velocity / (target - start)).magnitude : 1 / timeConstant
        return Spring(angularFrequency: frequency, dampingRatio: 1)
    }
}

extension Motion {
    /// Creates a motion that decays from a velocity in units per second of its own time.
    ///
    /// - Parameters:
    ///   - step: its end is a multiple of this, such as 1 for integers; 0 doesn't round. The end stays within the decay's
    ///     bounds.
    ///   - delay: seconds before it starts.
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

    /// Returns the motion that decays from here, with the current value and velocity.
    public func decaying(_ decay: Decay = Decay(), endingOn step: Double = 0, at instant: Instant) -> Motion {
        Motion(
            from: value(at: instant), velocity: velocity(at: instant), decay: decay, endingOn: step,
            startingAt: instant)
    }
}
