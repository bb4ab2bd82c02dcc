// The spring's entrance to the fluent builder, in UIKit's terms.

/// An animation by a spring, described as UIKit does it.
///
///     try SpringAnimator(duration: 0.3, delay: 0.2, dampingRatio: 0.2, initialVelocity: 0.2)
///         .from(0).to(1).onFrame { print($0) }.animate()
public struct SpringAnimator: Sendable {
    private let animator: Animator<Unset>

    /// A spring that settles in `duration` seconds after `delay`.
    ///
    /// - Parameters:
    ///   - duration: seconds from its release until it stays within a thousandth of the travel; 0 is there at once.
    ///   - delay: seconds before it is released.
    ///   - dampingRatio: over 0; 1 does not swing, toward 0 it swings more.
    ///   - initialVelocity: travels per second: 1 is the whole distance in one second.
    /// - Throws: `SpringError` naming the bad parameter.
    public init(
        duration: Double, delay: Double = 0, dampingRatio: Double, initialVelocity: Double = 0
    ) throws(SpringError) {
        let spring = try Spring(
            dampingRatio: dampingRatio, settledWithin: duration, initialVelocity: initialVelocity)
        self.init(spring, delay: delay, initialVelocity: initialVelocity)
    }

    /// Any spring, after `delay` seconds.
    public init(_ spring: Spring, delay: Double = 0, initialVelocity: Double = 0) {
        animator = Animator(duration: 0, delay: delay).spring(spring, initialVelocity: initialVelocity)
    }

    /// The number to start from: `from(0)` moves as a double does.
    public func from(_ start: Double) -> Animator<Double> { animator.from(start) }

    /// The value to start from; everything else is set on the animator that this gives.
    @_disfavoredOverload
    public func from<End: Interpolatable>(_ start: End) -> Animator<End> {
        animator.from(start)
    }
}
