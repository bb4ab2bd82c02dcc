// The fluent way to say what moves, how, and who watches. A value: nothing happens before it is run, and it can be run
// again. The mathematics is Motion's; this adds typed ends, observers and a clock.

/// An animation along an easing, in a given time.
///
///     Animator(duration: 0.3, delay: 0.1).from(0).to(40).easing(.easeOut).repeating(2, autoreverse: true)
///         .onFrame { print($0) }
///         .completion { finished in print(finished) }
///         .animate()
public typealias Animator<Value: Sendable> = CurveAnimator<Value, Easing>

/// An animation by a spring, which has a time of its own.
///
///     try SpringAnimator(duration: 0.3, delay: 0.2, dampingRatio: 0.2, initialVelocity: 0.2)
///         .from(0).to(10).repeating(1, autoreverse: true).onFrame { print($0) }.animate()
public typealias SpringAnimator<Value: Sendable> = CurveAnimator<Value, Spring>

/// An animation of a value along a curve, an ``Easing`` or a ``Spring``, described step by step; a setting made twice counts
/// as made last, observers add up.
public struct CurveAnimator<Value: Sendable, Curve: Sendable>: Sendable {
    var plan: AnimationPlan<Value>

    /// Runs `count` further cycles, infinity for ever. With `autoreverse` a cycle is there and back, and it ends where
    /// it started unless `count` ends in .5. A spring's cycle takes the time in which it settles.
    ///
    /// - Parameters:
    ///   - count: at least 0; what isn't a number counts as 0.
    ///   - autoreverse: whether a cycle is there and back.
    ///   - repeatDelay: seconds before each further cycle, on the way back too.
    public func repeating(_ count: Double, autoreverse: Bool = false, repeatDelay: Double = 0) -> Self {
        changed { $0.cycles = Cycles(repeats: count, autoreverse: autoreverse, repeatDelay: repeatDelay) }
    }

    /// Waits so many seconds before it moves.
    public func delay(_ seconds: Double) -> Self {
        changed { $0.delay = seconds }
    }

    /// Waits so many seconds after the last movement before it is complete.
    public func endDelay(_ seconds: Double) -> Self {
        changed { $0.endDelay = seconds }
    }

    /// Runs so many times as fast: backwards from the end below 0, and at 0 it stands until somebody changes that.
    public func rate(_ rate: Double) -> Self {
        changed { $0.rate = rate }
    }

    /// At most so many frames a second, 60 unless set; 1 to 1000.
    public func framesPerSecond(_ count: Double) -> Self {
        changed { $0.framesPerSecond = count >= 1 ? min(count, 1000) : 1 }
    }

    /// Calls `conclude` once a run, after the last frame: true when it got to its end, false when it was cancelled.
    ///
    /// It runs on the actor that it is written on. Not for a run as a sequence, ``frames(on:)``, whose loop ends then.
    public func completion(
        @_inheritActorContext _ conclude: @escaping @Sendable @isolated(any) (Bool) async -> Void
    ) -> Self {
        changed { $0.conclusions.append(conclude) }
    }

    /// The motion of the share of the way: from 0 to 1 whatever the value's type.
    public func motion(startingAt instant: Instant) -> Motion { plan.motion(startingAt: instant) }

    func changed(_ change: (inout AnimationPlan<Value>) -> Void) -> Self {
        var copy = self
        change(&copy.plan)
        return copy
    }
}

extension CurveAnimator where Curve == Easing {
    /// Moves along an easing; `linear` unless it is set.
    public func easing(_ easing: Easing) -> Self {
        changed { plan in
            guard case .eased(_, let duration) = plan.style else { return }
            plan.style = .eased(easing, duration: duration)
        }
    }
}

extension CurveAnimator where Value == Unset, Curve == Easing {
    /// An animation of `duration` seconds that starts after `delay` seconds.
    public init(duration: Double, delay: Double = 0) {
        plan = AnimationPlan(.eased(.linear, duration: duration), delay: delay, known: Unset())
    }
}
