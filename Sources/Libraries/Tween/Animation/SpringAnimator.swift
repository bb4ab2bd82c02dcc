// Springs in the fluent builder, by UIKit's parameters or as any `Spring`.

extension CurveAnimator where Value == Unset, Curve == Spring {
    /// Creates a spring that settles in `duration` seconds after `delay`.
    ///
    /// - Parameters:
    ///   - duration: seconds of each cycle, from the release until it stays within a thousandth of the travel; 0 arrives at
    ///     once.
    ///   - delay: seconds before it is released.
    ///   - dampingRatio: over 0; 1 doesn't oscillate, smaller values oscillate more.
    ///   - initialVelocity: travels per second, for the first cycle: 1 is the whole distance in one second.
    /// - Throws: `SpringError` naming the invalid parameter.
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

    /// Creates an animation with any spring, after `delay` seconds.
    ///
    /// - Parameters:
    ///   - spring: the spring.
    ///   - delay: seconds before it is released.
    ///   - initialVelocity: travels per second, for the first cycle: 1 is the whole distance in one second.
    ///   - threshold: the share of the travel within which it counts as settled.
    public init(_ spring: Spring, delay: Double = 0, initialVelocity: Double = 0, threshold: Double = 0.001) {
        let release = SpringRelease(
            spring: spring, repeated: spring, velocity: initialVelocity, threshold: threshold)
        plan = AnimationPlan(.sprung(release), delay: delay, known: Unset())
    }
}
