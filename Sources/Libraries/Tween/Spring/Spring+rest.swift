// When a spring is at rest, and which spring is at rest in time.

extension Spring {
    /// Creates a spring whose motion over `distance` is at rest, as ``Motion/settleAtRest(resolution:)`` has it, after exactly
    /// this many seconds if released at rest, and after at most this many if it starts with a velocity.
    ///
    /// - Parameters:
    ///   - dampingRatio: over 0, to 1,000,000.
    ///   - duration: seconds; 0 arrives at once.
    ///   - velocity: units per second.
    ///   - resolution: the least difference that is seen.
    ///   - isRepeated: whether it has several cycles. The later ones start at rest, and must settle in time too.
    /// - Throws: `SpringError` naming the invalid parameter.
    package init(
        dampingRatio: Double, atRestWithin duration: Double, over distance: Double, velocity: Double,
        resolution: Double,
        isRepeated: Bool
    ) throws(SpringError) {
        self = try Self.settled(
            within: duration, dampingRatio: dampingRatio, velocity: velocity, isRepeated: isRepeated
        ) { spring, velocity in
            let tolerance = spring.restTolerance(over: distance, velocity: velocity, resolution: resolution)
            return spring.settlingDuration(from: 0, to: distance, velocity: velocity, tolerance: tolerance)
        }
    }

    /// Returns the distance from the end within which it is at rest: a thousandth of its travel, or the resolution if that is
    /// less.
    func restTolerance(over distance: Double, velocity: Double, resolution: Double) -> Double {
        let travel = max(distance.magnitude, velocity.magnitude / angularFrequency)
        return max(min(travel * Self.restShare, resolution), travel * Self.finestShare)
    }

    /// The share of its travel within which a spring is at rest; also used for its settling duration.
    private static let restShare = 0.001
    /// The share of the travel below which no difference from the end is resolved.
    private static let finestShare = 1e-12

    /// Returns the slowest spring that settles in time.
    /// - Parameter settling: Returns the seconds that a spring takes with a velocity.
    static func settled(
        within duration: Double, dampingRatio: Double, velocity: Double, isRepeated: Bool,
        by settling: (Spring, _ velocity: Double) -> Double
    ) throws(SpringError) -> Spring {
        let time = try time(duration, .settledWithin)
        let ratio = try ratio(dampingRatio)
        guard ratio > 0 else { throw SpringError(parameter: .dampingRatio, rule: "must be over 0 to settle") }
        let velocity = velocity.isFinite ? velocity : 0
        // Settling from rest scales with the period, so a spring of 1 rad/s suffices.
        let unit = Spring(angularFrequency: 1, dampingRatio: ratio)
        let atRest = settling(unit, 0)
        let usual = Spring(
            angularFrequency: (atRest > 0 ? atRest : settling(unit, velocity)) / time, dampingRatio: ratio)
        // Without a way it is at rest from the start: a frequency of 0 would be no spring.
        guard usual.angularFrequency > 0 else { return Spring(angularFrequency: .infinity, dampingRatio: ratio) }
        guard velocity != 0, usual.angularFrequency.isFinite else { return usual }
        func isLate(_ frequency: Double) -> Bool {
            settling(Spring(angularFrequency: frequency, dampingRatio: ratio), velocity) > time
        }
        var (low, high) = (usual.angularFrequency / (isRepeated ? 1 : 1024), usual.angularFrequency)
        while isLate(high) { (low, high) = (high, high * 2) }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if isLate(middle) { low = middle } else { high = middle }
        }
        return Spring(angularFrequency: high, dampingRatio: ratio)
    }
}
