// A damped spring as physics has it: an angular frequency and a damping ratio. It holds no ends and no time.

/// A damped harmonic spring that pulls a value to its target.
public struct Spring: Hashable, Sendable {
    /// The undamped angular frequency in rad/s; infinite is a spring that is there at once.
    public let angularFrequency: Double
    /// 1 is critical (fastest without overshoot), under 1 swings, over 1 creeps, 0 swings for ever.
    public let dampingRatio: Double

    /// Seconds of one undamped swing: how quick the spring feels.
    public var response: Double { 2 * .pi / angularFrequency }
    /// The stiffness for a mass of 1.
    public var stiffness: Double { angularFrequency * angularFrequency }
    /// The damping coefficient for a mass of 1.
    public var damping: Double { 2 * dampingRatio * angularFrequency }
    /// SwiftUI's bounce: positive swings, 0 is critical, negative creeps.
    public var bounce: Double { dampingRatio <= 1 ? 1 - dampingRatio : 1 / dampingRatio - 1 }

    /// A spring from its physical parameters, already checked.
    ///
    /// Swings shorter than a few nanoseconds are over before any clock can see them: they count as immediate, which
    /// also keeps the squares below in range.
    init(angularFrequency: Double, dampingRatio: Double) {
        self.angularFrequency = angularFrequency <= 1e9 ? angularFrequency : .infinity
        self.dampingRatio = dampingRatio
    }

    /// The value `time` seconds after it was at `from` with `velocity` units per second, on its way to `to`.
    public func value(from: Double, to: Double, velocity: Double, at time: Double) -> Double {
        to + Oscillation(self, displacement: from - to, velocity: velocity).displacement(at: time)
    }

    /// The velocity in units per second, `time` seconds after the start.
    public func velocity(from: Double, to: Double, velocity: Double, at time: Double) -> Double {
        Oscillation(self, displacement: from - to, velocity: velocity).velocity(at: time)
    }

    /// The first second from which the value stays within `tolerance` of `to` for good, found exactly.
    ///
    /// Infinite for an undamped spring and for a tolerance that is not over 0, unless nothing moves at all.
    public func settlingDuration(from: Double, to: Double, velocity: Double, tolerance: Double) -> Double {
        Oscillation(self, displacement: from - to, velocity: velocity).settlingTime(tolerance: tolerance)
    }
}
