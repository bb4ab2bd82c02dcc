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
    /// Whether it never goes back before it reaches its end, where a motion that never decreases stays. True for `back`,
    /// which goes back later; false for `back-in`, and for `bounce`, which is meant to fall again.
    public var isSteady: Bool {
        switch self {
        case .linear, .steps, .power: true
        case .penner(let curve): curve.form == .out && curve.kind != .bounce
        case .cubicBezier, .linearStops: isSteadyAtTurns
        }
    }

    /// The same of a curve that goes one way between its turns.
    private var isSteadyAtTurns: Bool {
        var highest = value(at: 0)
        for turn in turns {
            if turn.output >= 1 { return true }
            if turn.output < highest { return false }
            highest = turn.output
        }
        return value(at: 1) >= highest
    }

    /// Inputs, in order, at which a search for its end must look: every 1,024th, and where it turns, from both sides.
    fileprivate var landmarks: [Double] {
        let grid = (1..<1_024).map { Double($0) / 1_024 }
        // The grid is fine enough for the other curves.
        if case .penner = self { return grid }
        let turns = turns.flatMap { [$0.input.nextDown, $0.input] }.filter { $0 > 0 && $0 < 1 }
        return turns.isEmpty ? grid : (grid + turns).sorted()
    }
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
            let easing = velocityMatch.base(timing.easing)
            let share: Double?
            if velocityMatch.hasAside {
                share = firstPlace(in: easing.landmarks) { share in
                    let aside = velocityMatch.aside(at: share * timing.duration) / way
                    return 1 - velocityMatch.value(at: share, of: timing.easing) - aside
                }
            } else {
                // It arrives where the easing does. A curve that only touches 1 does so at its landmarks, which are inputs.
                share = firstPlace(in: easing.landmarks) { 1 - easing.value(at: $0) }.map(velocityMatch.share(ofInput:))
            }
            return share.map { $0 * timing.duration } ?? .infinity
        }
    }

    /// Returns the first place, at or between landmarks, at which nothing remains; nil if there is none.
    private static func firstPlace(in landmarks: [Double], _ remaining: (Double) -> Double) -> Double? {
        guard let index = landmarks.firstIndex(where: { remaining($0) <= 0 }) else { return nil }
        var (low, high) = (index > 0 ? landmarks[index - 1] : 0, landmarks[index])
        for _ in 0..<60 {
            let middle = low + (high - low) / 2
            if remaining(middle) > 0 { low = middle } else { high = middle }
        }
        return high
    }
}

extension Oscillation {
    /// Seconds until the displacement is first 0, where start C + drive S = 0; infinite if it never is. The initial velocity
    /// must not lead away from 0.
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
