// The settings with times as `Duration`: `.milliseconds(300)` instead of 0.3.

extension CurveAnimator where Value == Unset, Curve == Easing {
    /// Creates an animation with a duration that starts after a delay.
    public init(duration: Duration, delay: Duration = .zero) {
        self.init(duration: duration.inSeconds, delay: delay.inSeconds)
    }
}

extension CurveAnimator where Value == Unset, Curve == Spring {
    /// Creates a spring that settles within a duration after a delay; see
    /// ``init(duration:delay:dampingRatio:initialVelocity:)-(Double,_,_,_)``.
    ///
    /// - Throws: `SpringError` naming the invalid parameter.
    public init(
        duration: Duration, delay: Duration = .zero, dampingRatio: Double, initialVelocity: Double = 0
    ) throws(SpringError) {
        try self.init(
            duration: duration.inSeconds, delay: delay.inSeconds, dampingRatio: dampingRatio,
            initialVelocity: initialVelocity)
    }
}

extension CurveAnimator {
    /// Sets the wait before it moves.
    public func delay(_ duration: Duration) -> Self { delay(duration.inSeconds) }

    /// Sets the wait after the last movement, before it is complete.
    public func endDelay(_ duration: Duration) -> Self { endDelay(duration.inSeconds) }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
