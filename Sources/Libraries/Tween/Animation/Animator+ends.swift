// The two ends of an animation and the observers of its frames. The end given first decides the value type.

/// The value type of an animator without ends.
public struct Unset: Sendable {}

extension CurveAnimator where Value == Unset {
    /// Sets the number to start from: `from(0)` animates a Double. For integers pass an integer variable, or write `from(0
    /// as Int)`.
    public func from(_ start: Double) -> CurveAnimator<Double, Curve> { typed(start).from(start) }

    /// Sets the number to end at; see ``from(_:)-(Double)``.
    public func to(_ target: Double) -> CurveAnimator<Double, Curve> { typed(target).to(target) }

    /// Sets the value to start from, which decides the value type.
    @_disfavoredOverload
    public func from<End: Interpolatable>(_ start: End) -> CurveAnimator<End, Curve> { typed(start).from(start) }

    /// Sets the value to end at, which decides the value type.
    @_disfavoredOverload
    public func to<End: Interpolatable>(_ target: End) -> CurveAnimator<End, Curve> { typed(target).to(target) }

    /// Adds an observer before an end is given: of Doubles, as for ends that are literals.
    public func onFrame(
        @_inheritActorContext _ observe: @escaping @Sendable @isolated(any) (Double) async -> Void
    ) -> CurveAnimator<Double, Curve> { typed(0).onFrame(observe) }

    /// Adds an observer before an end is given. The closure's parameter decides the value type: `.onFrame { (place: Int) in
    /// … }`.
    @_disfavoredOverload
    public func onFrame<End: InterpolatableVector>(
        @_inheritActorContext _ observe: @escaping @Sendable @isolated(any) (End) async -> Void
    ) -> CurveAnimator<End, Curve> { typed(End(coordinates: [])).onFrame(observe) }

    private func typed<End: Interpolatable>(_ known: End) -> CurveAnimator<End, Curve> {
        CurveAnimator<End, Curve>(plan: AnimationPlan(plan, known: known))
    }
}

extension CurveAnimator where Value: Interpolatable {
    /// Sets the value to start from; by default the end.
    public func from(_ start: Value) -> Self {
        changed { $0.start = start }
    }

    /// Sets the value to end at; by default the start.
    public func to(_ target: Value) -> Self {
        changed { plan in
            plan.target = target
            plan.waypoints = []
        }
    }

    /// Calls `observe` with every frame's value, after observers added before. While they are busy, frames are dropped.
    ///
    /// It runs on the actor in which it is written: in a function of the main actor, `.onFrame { label.text = "\($0)" }`.
    public func onFrame(
        @_inheritActorContext _ observe: @escaping @Sendable @isolated(any) (Value) async -> Void
    ) -> Self {
        changed { $0.observers.append(observe) }
    }

    /// Returns the value at an instant of a motion made by ``motion(startingAt:)``.
    public func value(of motion: Motion, at instant: Instant) -> Value {
        plan.value(of: motion, at: instant)
    }
}
