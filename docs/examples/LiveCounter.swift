// A counter that follows live data: every update sends it elsewhere, and it never jumps nor stands still in between.

public import Tween

/// A number on its way to the newest of its updates.
public struct LiveCounter {
    private var motion: Motion
    private var cadence = CadenceEstimator()

    /// A counter at rest.
    public init(_ value: Double, at now: Instant) {
        motion = Motion(from: value, to: value, course: .timed(Timing(duration: 0)), startingAt: now)
    }

    /// Takes an update; the motion arrives as the next one is expected.
    public mutating func update(to target: Double, at now: Instant) {
        cadence.observe(now)
        let timing = Timing(duration: cadence.duration ?? 2)
        motion = motion.retargeted(to: target, course: .timed(timing), at: now, overshoot: .allow)
    }

    /// The number to show.
    public func value(at now: Instant) -> Double { motion.value(at: now) }
}
