// The spring's entrances to the fluent builder, in UIKit's terms and by any spring.

extension CurveAnimator where Value == Unset, Curve == Spring {
    /// A spring that settles in `duration` seconds after `delay`.
    ///
    /// - Parameters:
    ///   - duration: seconds from its release until it stays within a thousandth of the travel, of each cycle where it has
    ///     several; 0 is there at once.
    ///   - delay: seconds before it is released.
    ///   - dampingRatio: over 0; 1 does not swing, toward 0 it swings more.
    ///   - initialVelocity: travels per second, of the first cycle: 1 is the whole distance in one second.
    /// - Throws: `SpringError` naming the bad parameter.
    public init(
        duration: Double, delay: Double = 0, dampingRatio: Double, initialVelocity: Double = 0
    ) throws(SpringError) {
        let release = SpringRelease(
            spring: try Spring(
                dampingRatio: dampingRatio, settledWithin: duration, initialVelocity: initialVelocity),
            repeated: try Spring(
                dampingRatio: dampingRatio, settledWithin: duration, initialVelocity: initialVelocity,
                isRepeated: true),
            velocity: initialVelocity, threshold: 0.001)
        plan = AnimationPlan(.sprung(release), delay: delay, known: Unset())
    }

    /// Any spring, after `delay` seconds.
    ///
    /// - Parameters:
    ///   - spring: the spring that pulls.
    ///   - delay: seconds before it is released.
    ///   - initialVelocity: travels per second, of the first cycle: 1 is the whole distance in one second.
    ///   - threshold: the share of the travel within which it counts as settled.
    public init(_ spring: Spring, delay: Double = 0, initialVelocity: Double = 0, threshold: Double = 0.001) {
        let release = SpringRelease(
            spring: spring, repeated: spring, velocity: initialVelocity, threshold: threshold)
        plan = AnimationPlan(.sprung(release), delay: delay, known: Unset())
    }
}
