// A damped spring: an angular frequency and a damping ratio. It has no ends and no time.

/// A damped harmonic spring that pulls a value to its target.
public struct Spring: Hashable, Sendable {
    /// The undamped angular frequency in rad/s; infinite for a spring that arrives at once.
    public let angularFrequency: Double
    /// 1 is critical (fastest without overshoot), under 1 oscillates, over 1 is overdamped, 0 oscillates forever.
    public let dampingRatio: Double

    /// Seconds of one undamped oscillation: how quick the spring feels.
    public var response: Double { 2 * .pi / angularFrequency }
    /// The stiffness for a mass of 1.
    public var stiffness: Double { angularFrequency * angularFrequency }
    /// The damping coefficient for a mass of 1.
    public var damping: Double { 2 * dampingRatio * angularFrequency }
    /// SwiftUI's bounce: positive oscillates, 0 is critical, negative is overdamped.
    public var bounce: Double { dampingRatio <= 1 ? 1 - dampingRatio : 1 / dampingRatio - 1 }

    /// Creates a spring from checked physical parameters.
    ///
    /// Oscillations shorter than a few nanoseconds are over before any clock can measure them. They count as immediate,
    /// which also keeps the squares below in range.
    ///
    /// The frequency is the double that the response gives: a client that receives the response computes the same bits.
    init(angularFrequency: Double, dampingRatio: Double) {
        let response = 2 * .pi / angularFrequency
        let frequency = response.isFinite ? 2 * .pi / response : angularFrequency
        self.angularFrequency = angularFrequency <= 1e9 ? frequency : .infinity
        self.dampingRatio = dampingRatio
    }

    /// Returns the value `time` seconds after it was at `from` with `velocity` units per second, on its way to `to`.
    public func value(from: Double, to: Double, velocity: Double, at time: Double) -> Double {
        to + Oscillation(self, displacement: from - to, velocity: velocity).displacement(at: time)
    }

    /// Returns the velocity in units per second, `time` seconds after the start.
    public func velocity(from: Double, to: Double, velocity: Double, at time: Double) -> Double {
        Oscillation(self, displacement: from - to, velocity: velocity).velocity(at: time)
    }

    /// Returns the exact seconds from which the value stays within `tolerance` of `to`.
    ///
    /// Infinite for an undamped spring and for a tolerance that is not over 0, unless nothing moves at all.
    public func settlingDuration(from: Double, to: Double, velocity: Double, tolerance: Double) -> Double {
        Oscillation(self, displacement: from - to, velocity: velocity).settlingTime(tolerance: tolerance)
    }
}
