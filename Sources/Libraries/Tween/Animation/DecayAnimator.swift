// Flung values in the fluent builder. They slow down from a velocity, which determines where they stop.

/// An animation slowed by friction; see ``Decay`` for the formula.
///
///     DecayAnimator(timeConstant: 0.325).from(offset).velocity(800).onFrame { print($0) }.animate()
public typealias DecayAnimator<Value: Sendable> = CurveAnimator<Value, Decay>

extension CurveAnimator where Value == Unset, Curve == Decay {
    /// Creates an animation whose speed falls to 1/e, about 37 %, in every `timeConstant` seconds. It ends within a
    /// thousandth of its way.
    ///
    /// With an end from ``to(_:)-(Value)`` instead of a velocity, it approaches that end in the same way. For bounds, and
    /// for ends on a grid, use ``Motion/init(from:velocity:decay:endingOn:delay:startingAt:)``.
    ///
    /// - Parameters:
    ///   - timeConstant: seconds, at least a microsecond; 0.325 is usual for flung lists.
    ///   - delay: seconds before it is released.
    public init(timeConstant: Double = 0.325, delay: Double = 0) {
        // A spring of w = 1/τ, released with a velocity of the remaining way per time constant, is exactly the decay.
        let frequency = 1 / Decay(timeConstant: timeConstant).timeConstant
        let spring = Spring(angularFrequency: frequency, dampingRatio: 1)
        let release = SpringRelease(spring: spring, repeated: spring, velocity: frequency, threshold: 0.001)
        plan = AnimationPlan(.sprung(release), delay: delay, known: Unset())
    }
}

extension CurveAnimator where Value: InterpolatableVector, Curve == Decay {
    /// Releases it with a velocity from the start given before. It ends the velocity times the time constant further on.
    ///
    /// - Parameter velocity: each coordinate's, in units per second. One that isn't finite counts as 0.
    public func velocity(_ velocity: Value) -> Self {
        changed { plan in
            guard case .sprung(let release) = plan.style else { return }
            let start = (plan.start ?? plan.known).coordinates
            let speeds = velocity.coordinates
            plan.target = Value(
                coordinates: start.indices.map { index in
                    let speed = index < speeds.count && speeds[index].isFinite ? speeds[index] : 0
                    return start[index] + speed / release.spring.angularFrequency
                })
        }
    }
}
