// Where easings turn: zeros of their derivatives, corners and jumps.

extension Easing {
    /// Whether it may leave the way between its outputs at two inputs, or turn on it.
    var mayTurn: Bool {
        switch self {
        case .linear, .steps, .power: false
        case .cubicBezier(let curve): curve.mayTurn
        case .linearStops, .penner: true
        }
    }

    /// The places within 0...1 at which it may turn, in order.
    var turns: [LinearStops.Point] {
        switch self {
        case .cubicBezier(let curve): curve.turns
        case .linearStops(let stops): stops.turns
        case .penner(let curve): curve.turns
        case .linear, .steps, .power: []
        }
    }

    /// What a cycle shows at its start, where it turns, and before its end, in order. A jump at the very end isn't shown: the
    /// next cycle begins at that instant.
    var shownTurns: [LinearStops.Point] {
        switch self {
        case .linear, .power: return Self.straight
        case .steps, .cubicBezier, .linearStops, .penner:
            let start = LinearStops.Point(input: 0, output: value(at: 0))
            let between = turns.filter { $0.input > 0 && $0.input < 1 }
            return [start] + between + [LinearStops.Point(input: 1, output: outputBeforeEnd)]
        }
    }

    private static let straight = [
        LinearStops.Point(input: 0, output: 0), LinearStops.Point(input: 1, output: 1),
    ]

    /// The output that it approaches towards 1.
    private var outputBeforeEnd: Double {
        switch self {
        case .steps(let steps): steps.value(at: 1, before: true)
        case .linearStops(let stops): stops.outputBeforeEnd
        case .linear, .power, .cubicBezier, .penner: value(at: 1)
        }
    }
}

extension LinearStops {
    /// Its points within 0...1. Of several at one input, only the first and the last are shown.
    fileprivate var turns: [Point] {
        points.indices.filter { index in
            let isFirst = index == 0 || points[index - 1].input < points[index].input
            let isLast = index + 1 == points.count || points[index + 1].input > points[index].input
            return (0...1).contains(points[index].input) && (isFirst || isLast)
        }.map { points[$0] }
    }

    fileprivate var outputBeforeEnd: Double {
        guard let index = points.firstIndex(where: { $0.input == 1 }) else { return value(at: 1) }
        return index > 0 ? points[index].output : value(at: 1.0.nextDown)
    }
}

extension CubicBezier {
    /// With both y in 0...1, the derivative y1 (1 - s)² + 2 (y2 - y1) s (1 - s) + (1 - y2) s² is never negative: if y1 ≤ y2, no
    /// term is; else (y1 - y2)² ≤ y1 (1 - y2).
    fileprivate var mayTurn: Bool { !(0...1).contains(y1) || !(0...1).contains(y2) }

    /// Where its output turns, in order: at zeros of the derivative, y1 + (2 y2 - 4 y1) s + (1 + 3 y1 - 3 y2) s² = 0.
    fileprivate var turns: [LinearStops.Point] {
        let (a, b, c) = (1 + 3 * (y1 - y2), 2 * (y2 - 2 * y1), y1)
        let root = (b * b - 4 * a * c).squareRoot()
        guard root > 0 else { return [] }
        // Without cancellation: the product of both zeros is c / a.
        let q = -(b + (b < 0 ? -root : root)) / 2
        return [q / a, c / q].filter { $0 > 0 && $0 < 1 }.sorted().map { point(at: $0) }
    }
}
