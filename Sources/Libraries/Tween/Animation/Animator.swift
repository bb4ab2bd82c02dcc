// The fluent description of an animation: what moves, how, and which observers see it. A value: nothing happens until it is
// run, and it can be run again. Motion has the mathematics; this adds typed ends, observers and a clock.

/// An animation along an easing, with a given duration.
///
///     Animator(duration: 0.3, delay: 0.1).from(0).to(40).easing(.easeOut).repeating(2, autoreverse: true)
///         .onFrame { print($0) }
///         .completion { finished in print(finished) }
///         .animate()
public typealias Animator<Value: Sendable> = CurveAnimator<Value, Easing>

/// An animation by a spring, whose duration follows from its parameters.
///
///     try SpringAnimator(duration: 0.3, delay: 0.2, dampingRatio: 0.2, initialVelocity: 0.2)
///         .from(0).to(10).repeating(1, autoreverse: true).onFrame { print($0) }.animate()
public typealias SpringAnimator<Value: Sendable> = CurveAnimator<Value, Spring>

/// An animation of a value along a curve, an ``Easing`` or a ``Spring``, described step by step. The last of repeated
/// settings counts; observers add up.
public struct CurveAnimator<Value: Sendable, Curve: Sendable>: Sendable {
    var plan: AnimationPlan<Value>

    /// Adds `count` further cycles; infinity never ends. With `autoreverse`, a cycle goes there and back, and ends where it
    /// started unless `count` ends in .5. A spring's cycle lasts until it has settled.
    ///
    /// - Parameters:
    ///   - count: at least 0; NaN counts as 0.
    ///   - autoreverse: whether a cycle goes there and back.
    ///   - repeatDelay: seconds before each further cycle, on the way back too.
    public func repeating(_ count: Double, autoreverse: Bool = false, repeatDelay: Double = 0) -> Self {
        changed { $0.cycles = Cycles(repeats: count, autoreverse: autoreverse, repeatDelay: repeatDelay) }
    }

    /// Sets the seconds to wait before it moves.
    public func delay(_ seconds: Double) -> Self {
        changed { $0.delay = seconds }
    }

    /// Sets the seconds to wait after the last movement, before it is complete.
    public func endDelay(_ seconds: Double) -> Self {
        changed { $0.endDelay = seconds }
    }

    /// Sets the speed factor. Below 0 it runs backwards from the end; at 0 it stands still until the rate changes.
    public func rate(_ rate: Double) -> Self {
        changed { $0.rate = rate }
    }

    /// Sets the most frames per second, 1 to 1000; the default is 60.
    public func framesPerSecond(_ count: Double) -> Self {
        changed { $0.framesPerSecond = count >= 1 ? min(count, 1000) : 1 }
    }

    /// Calls `conclude` once per run, after the last frame: true if it reached its end, false if it was cancelled.
    ///
    /// It runs on the actor in which it is written. Not called for a run as a sequence, ``frames(on:)``, whose loop then
    /// ends.
    public func completion(
        @_inheritActorContext _ conclude: @escaping @Sendable @isolated(any) (Bool) async -> Void
    ) -> Self {
        changed { $0.conclusions.append(conclude) }
    }

    /// Returns the motion of the fraction of the way: from 0 to 1 for any value type.
    public func motion(startingAt instant: Instant) -> Motion { plan.motion(startingAt: instant) }

    func changed(_ change: (inout AnimationPlan<Value>) -> Void) -> Self {
        var copy = self
        change(&copy.plan)
        return copy
    }
}

extension CurveAnimator where Curve == Easing {
    /// Sets the easing; the default is `linear`.
    public func easing(_ easing: Easing) -> Self {
        changed { plan in
            guard case .eased(_, let duration) = plan.style else { return }
            plan.style = .eased(easing, duration: duration)
        }
    }
}

extension CurveAnimator where Value == Unset, Curve == Easing {
    /// Creates an animation of `duration` seconds that starts after `delay` seconds.
    public init(duration: Double, delay: Double = 0) {
        plan = AnimationPlan(.eased(.linear, duration: duration), delay: delay, known: Unset())
    }
}
