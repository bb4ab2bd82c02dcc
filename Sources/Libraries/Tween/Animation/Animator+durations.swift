// The same settings for those who say times as `Duration`: `.milliseconds(300)` in place of 0.3.

extension CurveAnimator where Value == Unset, Curve == Easing {
    /// An animation of a duration that starts after a delay.
    public init(duration: Duration, delay: Duration = .zero) {
        self.init(duration: duration.inSeconds, delay: delay.inSeconds)
    }
}

extension CurveAnimator where Value == Unset, Curve == Spring {
    /// A spring that settles in a duration after a delay; see ``init(duration:delay:dampingRatio:initialVelocity:)-(Double,_,_,_)``.
    ///
    /// - Throws: `SpringError` naming the bad parameter.
    public init(
        duration: Duration, delay: Duration = .zero, dampingRatio: Double, initialVelocity: Double = 0
    ) throws(SpringError) {
        try self.init(
            duration: duration.inSeconds, delay: delay.inSeconds, dampingRatio: dampingRatio,
            initialVelocity: initialVelocity)
    }
}

extension CurveAnimator {
    /// Waits before it moves.
    public func delay(_ duration: Duration) -> Self { delay(duration.inSeconds) }

    /// Waits after the last movement before it is complete.
    public func endDelay(_ duration: Duration) -> Self { endDelay(duration.inSeconds) }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
