// What is flung, by the fluent builder: it runs out from a velocity, and where it comes to rest follows from that.

/// An animation that runs out as friction has it; see ``Decay`` for the formula.
///
///     DecayAnimator(timeConstant: 0.325).from(offset).velocity(800).onFrame { print($0) }.animate()
public typealias DecayAnimator<Value: Sendable> = CurveAnimator<Value, Decay>

extension CurveAnimator where Value == Unset, Curve == Decay {
    /// An animation whose speed falls to 1/e, about 37 %, in every `timeConstant` seconds. It is over within a thousandth of
    /// its way.
    ///
    /// Told its end by ``to(_:)-(Value)`` in place of a velocity, it approaches that in the same manner. For bounds, and for
    /// an end on a whole number, there is ``Motion/init(from:velocity:decay:endingOn:delay:startingAt:)``.
    ///
    /// - Parameters:
    ///   - timeConstant: seconds, a microsecond at least; 0.325 is what flung lists take.
    ///   - delay: seconds before it is let go.
    public init(timeConstant: Double = 0.325, delay: Double = 0) {
        // Let go at the share of the way that is left in a time constant, a spring of w = 1/τ has nothing but the decay.
        let frequency = 1 / Decay(timeConstant: timeConstant).timeConstant
        let spring = Spring(angularFrequency: frequency, dampingRatio: 1)
        let release = SpringRelease(spring: spring, repeated: spring, velocity: frequency, threshold: 0.001)
        plan = AnimationPlan(.sprung(release), delay: delay, known: Unset())
    }
}

extension CurveAnimator where Value: InterpolatableVector, Curve == Decay {
    /// Lets it go from the start that was said before: it ends the velocity times the time constant further on.
    ///
    /// - Parameter velocity: each coordinate's, in units per second. One that isn't a number counts as 0.
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
