// The ways to describe a spring, mapped as in UIKit and SwiftUI. Each checks its parameters.

extension Spring {
    /// Creates a spring from a damping ratio and response, as in UIKit and SwiftUI.
    ///
    /// - Parameters:
    ///   - dampingRatio: 0 to 1,000,000.
    ///   - response: seconds of one undamped oscillation; 0 arrives at once.
    /// - Throws: `SpringError` naming the invalid parameter.
    public init(dampingRatio: Double, response: Double) throws(SpringError) {
        try self.init(
            angularFrequency: 2 * .pi / Self.time(response, .response), dampingRatio: Self.ratio(dampingRatio))
    }

    /// Creates a spring from a perceptual duration and bounce, as in SwiftUI's `Spring(duration:bounce:)`.
    ///
    /// - Parameters:
    ///   - duration: seconds of one undamped oscillation; 0 arrives at once.
    ///   - bounce: over -1; 0 is critical, 1 and more never settle.
    /// - Throws: `SpringError` naming the invalid parameter.
    public init(duration: Double, bounce: Double) throws(SpringError) {
        guard bounce > -1, bounce.isFinite else {
            throw SpringError(parameter: .bounce, rule: "must be a number over -1")
        }
        let ratio = bounce >= 0 ? max(1 - bounce, 0) : 1 / (1 + bounce)
        guard ratio <= Self.largestRatio else {
            throw SpringError(parameter: .bounce, rule: "is too close to -1")
        }
        try self.init(angularFrequency: 2 * .pi / Self.time(duration, .duration), dampingRatio: ratio)
    }

    /// Creates a spring from mass, stiffness and damping coefficient, as in Core Animation.
    ///
    /// - Throws: `SpringError` naming the invalid parameter: mass and stiffness over 0, damping at least 0.
    public init(mass: Double, stiffness: Double, damping: Double) throws(SpringError) {
        guard mass > 0, mass.isFinite else { throw SpringError(parameter: .mass, rule: "must be a number over 0") }
        guard stiffness > 0, stiffness.isFinite else {
            throw SpringError(parameter: .stiffness, rule: "must be a number over 0")
        }
        guard damping >= 0, damping.isFinite else {
            throw SpringError(parameter: .damping, rule: "must be a number of at least 0")
        }
        let frequency = (stiffness / mass).squareRoot()
        // Two roots instead of the root of a product, which can leave the range.
        let ratio = damping / (2 * stiffness.squareRoot() * mass.squareRoot())
        guard frequency > 0, ratio <= Self.largestRatio else {
            throw SpringError(parameter: .damping, rule: "is out of proportion to mass and stiffness")
        }
        self.init(angularFrequency: frequency, dampingRatio: ratio)
    }

    /// Creates a spring whose decay reaches `threshold` of the travel after `settlingDuration` seconds, as in SwiftUI's
    /// `Spring(settlingDuration:dampingRatio:epsilon:)`.
    ///
    /// The root of (z/√(1-z²)) e^(-zwT) = threshold for z < 1, of (1+wT) e^(-wT) = threshold from 1 on, where ratios over 1
    /// count as 1. This ignores the oscillation's phase, so the exact settling time differs slightly.
    /// ``init(dampingRatio:settledWithin:threshold:initialVelocity:)`` is exact.
    /// - Throws: `SpringError` naming the invalid parameter.
    public init(dampingRatio: Double, settlingDuration: Double, threshold: Double = 0.001) throws(SpringError) {
        let time = try Self.time(settlingDuration, .settlingDuration)
        let ratio = min(try Self.ratio(dampingRatio), 1)
        try Self.check(threshold: threshold)
        guard ratio < 1 else {
            self.init(angularFrequency: Self.criticalDecay(to: threshold) / time, dampingRatio: 1)
            return
        }
        let decay = logarithm(ratio / (threshold * (1 - ratio * ratio).squareRoot()))
        guard ratio > 0, decay > 0 else {
            throw SpringError(parameter: .dampingRatio, rule: "is too small to settle to that threshold")
        }
        self.init(angularFrequency: decay / (ratio * time), dampingRatio: ratio)
    }

    /// Creates a spring that stays within `threshold` of its travel after exactly this many seconds if released at rest, and
    /// after at most this many if it starts with a velocity.
    ///
    /// - Parameters:
    ///   - dampingRatio: over 0, to 1,000,000; 0 never settles.
    ///   - duration: seconds; 0 arrives at once.
    ///   - threshold: the share of the travel that counts as arrived, between 0 and 1.
    ///   - initialVelocity: travels per second: 1 is the whole distance in one second. A value that isn't finite counts as
    ///     0.
    ///   - isRepeated: whether it has several cycles. The later ones start at rest, and must settle in time too.
    /// - Throws: `SpringError` naming the invalid parameter.
    public init(
        dampingRatio: Double, settledWithin duration: Double, threshold: Double = 0.001, initialVelocity: Double = 0,
        isRepeated: Bool = false
    ) throws(SpringError) {
        try Self.check(threshold: threshold)
        self = try Self.settled(
            within: duration, dampingRatio: dampingRatio, velocity: initialVelocity, isRepeated: isRepeated
        ) { spring, velocity in
            spring.settlingDuration(from: 0, to: 1, velocity: velocity, tolerance: threshold)
        }
    }

    private static let largestRatio = 1e6

    static func time(_ seconds: Double, _ parameter: SpringError.Parameter) throws(SpringError) -> Double {
        guard seconds >= 0, seconds <= 1e9 else {
            throw SpringError(parameter: parameter, rule: "must be a number of seconds from 0 to 1000000000")
        }
        return seconds
    }

    static func ratio(_ ratio: Double) throws(SpringError) -> Double {
        guard ratio >= 0, ratio <= largestRatio else {
            throw SpringError(parameter: .dampingRatio, rule: "must be from 0 to 1000000")
        }
        return ratio
    }

    private static func check(threshold: Double) throws(SpringError) {
        guard threshold > 0, threshold < 1 else {
            throw SpringError(parameter: .threshold, rule: "must be between 0 and 1")
        }
    }

    /// Returns the x over 0 with (1 + x) e^(-x) = `threshold`: Newton on x - ln(1 + x) = -ln threshold, which is convex.
    private static func criticalDecay(to threshold: Double) -> Double {
        let goal = -logarithm(threshold)
        var x = goal + 2 * goal.squareRoot()
        for _ in 0..<50 {
            let step = (x - logarithm(1 + x) - goal) * (1 + x) / x
            x -= step
            if step.magnitude <= 1e-15 * x { break }
        }
        return x
    }
}
