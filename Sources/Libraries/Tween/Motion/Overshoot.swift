// What a motion may show beyond the way between its ends.

/// Whether a number may pass its target, or go back.
public enum Overshoot: String, Hashable, Sendable, CaseIterable {
    /// It follows its curve.
    case allow
    /// It stays between its start and its target. The start's side is open if the initial velocity leads away from the
    /// target.
    case clamp
    /// A rising number never falls, and a falling one never rises: it stays where it has arrived, and an initial velocity
    /// that leads away is ignored. Applies to a single way by a spring or a steady easing; equals `clamp` with keyframes and
    /// in cycles.
    case neverDecrease = "never-decrease"
}

extension Easing {
    /// Whether it never goes back before it arrives. True for `back`, which goes back later; false for `back-in` and
    /// `bounce`.
    public var isSteady: Bool {
        var highest = 0.0
        for index in 0...Self.samples {
            let value = value(at: Double(index) / Double(Self.samples))
            if value >= 1 { return true }
            if value < highest - 1e-9 { return false }
            highest = max(highest, value)
        }
        return true
    }

    /// The number of samples used to examine a curve.
    static let samples = 1_024
}

extension Motion {
    /// Returns the seconds after its delay at which it first reaches its target, for a motion that then stays there;
    /// infinite for others.
    static func arrival(
        of course: Course, _ velocityMatch: VelocityMatch, _ oscillation: Oscillation, way: Double
    ) -> Double {
        switch course {
        case .spring: return oscillation.firstCrossing
        case .timed(let timing):
            func rest(_ share: Double) -> Double {
                1 - velocityMatch.value(at: share, of: timing.easing) - velocityMatch.aside(at: share * timing.duration)
                    / way
            }
            let count = Double(Easing.samples)
            guard let index = (1..<Easing.samples).first(where: { rest(Double($0) / count) <= 0 }) else {
                return .infinity
            }
            var (low, high) = (Double(index - 1) / count, Double(index) / count)
            for _ in 0..<60 {
                let middle = low + (high - low) / 2
                if rest(middle) > 0 { low = middle } else { high = middle }
            }
            return high * timing.duration
        }
    }
}

extension Oscillation {
    /// Seconds until the displacement is first 0, where start C + drive S = 0; infinite if it never is.
    var firstCrossing: Double {
        if start == 0 { return 0 }
        let ratio = -start / drive
        // Where C is 1 and S is t, the time is too short for oscillations.
        if discriminant.magnitude * ratio * ratio < 1e-12 { return ratio > 0 && ratio.isFinite ? ratio : .infinity }
        guard discriminant < 0 else {
            let angle = arcTangent(-start * frequency, drive)
            return (angle > 0 ? angle : angle + .pi) / frequency
        }
        let x = ratio * frequency
        return x > 0 && x < 1 ? hyperbolicArcTangent(x) / frequency : .infinity
    }
}
