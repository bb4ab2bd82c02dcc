// Easings: map the elapsed fraction of a cycle to progress. Pure functions without units or a clock.

/// A timing function of CSS Easing Level 2, a power curve, or one of Penner's.
public enum Easing: Hashable, Sendable {
    /// Unchanged progress.
    case linear
    /// `cubic-bezier()` and the keywords `ease`, `ease-in`, `ease-out`, `ease-in-out`.
    case cubicBezier(CubicBezier)
    /// `steps()` and the keywords `step-start` and `step-end`.
    case steps(Steps)
    /// `linear()` with its stops.
    case linearStops(LinearStops)
    /// `power-in()`, `power-out()`, `power-in-out()`.
    case power(PowerCurve)
    /// `back-in`, `back-out`, `back-in-out`, and the same for `elastic` and `bounce`; `back` alone is `back-out`.
    case penner(PennerCurve)

    /// CSS `ease`.
    public static let ease = Easing.cubicBezier(CubicBezier(unchecked: 0.25, 0.1, 0.25, 1))
    /// CSS `ease-in`, which differs from `easeIn`: 0.3154 halfway instead of 0.1436.
    public static let cssEaseIn = Easing.cubicBezier(CubicBezier(unchecked: 0.42, 0, 1, 1))
    /// CSS `ease-out`, which differs from `easeOut`.
    public static let cssEaseOut = Easing.cubicBezier(CubicBezier(unchecked: 0, 0, 0.58, 1))
    /// CSS `ease-in-out`.
    public static let cssEaseInOut = Easing.cubicBezier(CubicBezier(unchecked: 0.42, 0, 0.58, 1))
    /// p^2.8: slow at the start.
    public static let easeIn = Easing.power(PowerCurve(unchecked: .in, exponent: 2.8))
    /// 1 - (1 - p)^2.8: slow at the end.
    public static let easeOut = Easing.power(PowerCurve(unchecked: .out, exponent: 2.8))
    /// Slow at both ends: the first half is `easeIn`'s, the second `easeOut`'s.
    public static let easeInOut = Easing.power(PowerCurve(unchecked: .inOut, exponent: 2.8))
    /// `back-out`: past the end by a tenth of the way, and back.
    public static let back = Easing.penner(PennerCurve(.back))
    /// `elastic-out`: oscillates around the end.
    public static let elastic = Easing.penner(PennerCurve(.elastic))
    /// `bounce-out`: bounces off the end three times.
    public static let bounce = Easing.penner(PennerCurve(.bounce))

    /// `cubic-bezier(x1, y1, x2, y2)`.
    public static func cubicBezier(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
    ) throws(EasingError) -> Easing {
        .cubicBezier(try CubicBezier(x1, y1, x2, y2))
    }

    /// `steps(count, position)`.
    public static func steps(
        _ count: Int, _ position: Steps.Position = .jumpEnd
    ) throws(EasingError) -> Easing {
        .steps(try Steps(count, position))
    }

    /// `linear(…)` through these outputs, evenly spaced.
    public static func linear(_ outputs: Double...) throws(EasingError) -> Easing {
        .linearStops(try LinearStops(outputs.map { LinearStops.Stop($0) }))
    }

    /// `power-in(exponent)`.
    public static func powerIn(_ exponent: Double) throws(EasingError) -> Easing {
        .power(try PowerCurve(.in, exponent: exponent))
    }

    /// `power-out(exponent)`.
    public static func powerOut(_ exponent: Double) throws(EasingError) -> Easing {
        .power(try PowerCurve(.out, exponent: exponent))
    }

    /// `power-in-out(exponent)`.
    public static func powerInOut(_ exponent: Double) throws(EasingError) -> Easing {
        .power(try PowerCurve(.inOut, exponent: exponent))
    }

    /// Returns the eased progress, which may leave 0...1. `before` is CSS's before flag, which only `steps()` uses.
    @inline(__always)
    public func value(at progress: Double, before: Bool = false) -> Double {
        switch self {
        case .linear: progress
        case .power(let curve): curve.value(at: progress)
        case .cubicBezier(let curve): curve.value(at: progress)
        case .steps(let steps): steps.value(at: progress, before: before)
        case .linearStops(let stops): stops.value(at: progress)
        case .penner(let curve): curve.value(at: progress)
        }
    }

    /// Returns the derivative of `value(at:)` in closed form, from the right if the sides differ.
    ///
    /// Infinite where the curve is vertical (`power-in(0.5)` at 0); 0 on the treads of `steps()`.
    public func slope(at progress: Double) -> Double {
        switch self {
        case .linear: 1
        case .power(let curve): curve.slope(at: progress)
        case .cubicBezier(let curve): curve.slope(at: progress)
        case .steps: 0
        case .linearStops(let stops): stops.slope(at: progress)
        case .penner(let curve): curve.slope(at: progress)
        }
    }
}
