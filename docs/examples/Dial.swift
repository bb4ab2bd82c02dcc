// A dial on a spring, whose hand is pulled elsewhere while it still swings: no jump, no lurch.

public import Tween

/// A hand that follows its target by a spring.
public struct Dial {
    private let spring: Spring
    private var motion: Motion

    /// A hand at rest.
    public init(at angle: Double, now: Instant) throws(SpringError) {
        spring = try Spring(duration: 0.5, bounce: 0.3)
        motion = Motion(from: angle, to: angle, course: .timed(Timing(duration: 0)), startingAt: now)
    }

    /// Pulls the hand to another angle, from where it is and as fast as it is going.
    public mutating func turn(to angle: Double, at now: Instant) {
        let course = Motion.Course.spring(spring, delay: 0, endDelay: 0, threshold: 0.05)
        motion = motion.retargeted(to: angle, course: course, at: now, overshoot: .allow)
    }

    /// Where the hand points, in degrees.
    public func angle(at now: Instant) -> Double { motion.value(at: now) }

    /// How fast it goes, in degrees a second.
    public func speed(at now: Instant) -> Double { motion.velocity(at: now) }

    /// Whether it has come to rest: no more frames are needed.
    public func isAtRest(at now: Instant) -> Bool { motion.isComplete(at: now) }
}
