// The two ends of an animation, the first of which settles what type moves, and who is told of its frames.

/// The value type of an animator that has not been told its ends yet.
public struct Unset: Sendable {}

extension CurveAnimator where Value == Unset {
    /// The number to start from: `from(0)` moves as a double does. For whole numbers start from an integer's variable, or
    /// say `from(0 as Int)`.
    public func from(_ start: Double) -> CurveAnimator<Double, Curve> { typed(start).from(start) }

    /// The number to go to; see ``from(_:)-(Double)``.
    public func to(_ target: Double) -> CurveAnimator<Double, Curve> { typed(target).to(target) }

    /// The value to start from, which settles what type moves.
    @_disfavoredOverload
    public func from<End: Interpolatable>(_ start: End) -> CurveAnimator<End, Curve> { typed(start).from(start) }

    /// The value to go to, which settles what type moves.
    @_disfavoredOverload
    public func to<End: Interpolatable>(_ target: End) -> CurveAnimator<End, Curve> { typed(target).to(target) }

    /// Observes before an end is said: a double, as ends that are literals are.
    public func onFrame(
        @_inheritActorContext _ observe: @escaping @Sendable @isolated(any) (Double) async -> Void
    ) -> CurveAnimator<Double, Curve> { typed(0).onFrame(observe) }

    /// Observes before an end is said; the type that the closure takes is what moves: `.onFrame { (place: Int) in … }`.
    @_disfavoredOverload
    public func onFrame<End: InterpolatableVector>(
        @_inheritActorContext _ observe: @escaping @Sendable @isolated(any) (End) async -> Void
    ) -> CurveAnimator<End, Curve> { typed(End(coordinates: [])).onFrame(observe) }

    private func typed<End: Interpolatable>(_ known: End) -> CurveAnimator<End, Curve> {
        CurveAnimator<End, Curve>(plan: AnimationPlan(plan, known: known))
    }
}

extension CurveAnimator where Value: Interpolatable {
    /// The value to start from; without one it starts where it ends.
    public func from(_ start: Value) -> Self {
        changed { $0.start = start }
    }

    /// The value to go to; without one it stays where it starts.
    public func to(_ target: Value) -> Self {
        changed { plan in
            plan.target = target
            plan.waypoints = []
        }
    }

    /// Calls `observe` with every frame's value, after the observers before it; while they are busy, frames are left out.
    ///
    /// It runs on the actor that it is written on: in a function of the main actor, `.onFrame { label.text = "\($0)" }`.
    public func onFrame(
        @_inheritActorContext _ observe: @escaping @Sendable @isolated(any) (Value) async -> Void
    ) -> Self {
        changed { $0.observers.append(observe) }
    }

    /// The value at an instant of a motion made by ``motion(startingAt:)``.
    public func value(of motion: Motion, at instant: Instant) -> Value {
        plan.value(of: motion, at: instant)
    }
}
