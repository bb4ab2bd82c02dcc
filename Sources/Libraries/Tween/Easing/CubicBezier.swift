// cubic-bezier() of CSS Easing Level 2: a curve from (0, 0) to (1, 1) that is a function of its x.

/// The curve of `cubic-bezier(x1, y1, x2, y2)`.
public struct CubicBezier: Hashable, Sendable {
    /// The first control point; x is in 0...1.
    public let x1: Double, y1: Double
    /// The second control point; x is in 0...1.
    public let x2: Double, y2: Double

    /// Creates a curve with these control points.
    ///
    /// - Throws: `EasingError.outOfRange` if an x is outside 0...1 or a y is outside -1000000...1000000.
    public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) throws(EasingError) {
        guard (0...1).contains(x1), (0...1).contains(x2) else {
            throw .outOfRange("the x values of cubic-bezier() must be from 0 to 1")
        }
        guard y1.magnitude <= 1e6, y2.magnitude <= 1e6 else {
            throw .outOfRange("the y values of cubic-bezier() must be from -1000000 to 1000000")
        }
        self.init(unchecked: x1, y1, x2, y2)
    }

    /// Creates a curve whose control points are known to be in range.
    init(unchecked x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2)
    }

    /// Returns the output for an input. Outside 0...1 the curve continues along its end tangents.
    func value(at input: Double) -> Double {
        if input <= 0 { return input == 0 ? 0 : input * tangentBelow }
        if input >= 1 { return input == 1 ? 1 : 1 + (input - 1) * tangentAbove }
        let s = parameter(at: input)
        return Self.polynomial(y1, y2, s)
    }

    /// Returns the derivative for an input; infinite where the curve is vertical.
    func slope(at input: Double) -> Double {
        if input < 0 { return tangentBelow }
        if input > 1 { return tangentAbove }
        if input == 0 { return startSlope }
        if input == 1 { return endSlope }
        let s = parameter(at: input)
        let run = Self.derivative(x1, x2, s)
        let rise = Self.derivative(y1, y2, s)
        // Inside the interval, only x1 = 1, x2 = 0 is vertical, at its middle.
        return run > 0 ? rise / run : rise < 0 ? -.infinity : .infinity
    }

    /// Returns the point at a parameter of 0...1.
    func point(at s: Double) -> LinearStops.Point {
        LinearStops.Point(input: Self.polynomial(x1, x2, s), output: Self.polynomial(y1, y2, s))
    }

    /// The slope below 0: css-easing-2 with the cases of csswg issue 4046.
    private var tangentBelow: Double {
        if x1 > 0 { return y1 / x1 }
        if y1 == 0, x2 > 0 { return y2 / x2 }
        return y1 == 0 && y2 == 0 ? 1 : 0
    }

    /// The slope above 1, the mirror image of the slope below 0.
    private var tangentAbove: Double {
        if x2 < 1 { return (y2 - 1) / (x2 - 1) }
        if y2 == 1, x1 < 1 { return (y1 - 1) / (x1 - 1) }
        return y2 == 1 && y1 == 1 ? 1 : 0
    }

    /// The one-sided derivative at 0. Where the outer tangent is defined as 0, the curve itself starts vertically.
    private var startSlope: Double {
        if x1 > 0 { return y1 / x1 }
        if y1 != 0 { return y1 < 0 ? -.infinity : .infinity }
        if x2 > 0 { return y2 / x2 }
        return y2 == 0 ? 1 : y2 < 0 ? -.infinity : .infinity
    }

    private var endSlope: Double {
        if x2 < 1 { return (y2 - 1) / (x2 - 1) }
        if y2 != 1 { return y2 > 1 ? -.infinity : .infinity }
        if x1 < 1 { return (y1 - 1) / (x1 - 1) }
        return y1 == 1 ? 1 : y1 > 1 ? -.infinity : .infinity
    }

    /// Returns the curve parameter whose x is `input`: Newton from the input, bisection where Newton is slow.
    private func parameter(at input: Double) -> Double {
        var s = input
        for _ in 0..<8 {
            let error = Self.polynomial(x1, x2, s) - input
            if error.magnitude < 1e-12 { return s }
            let slope = Self.derivative(x1, x2, s)
            if slope < 1e-6 { break }
            s -= error / slope
            if s < 0 || s > 1 { break }
        }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            s = (low + high) / 2
            if Self.polynomial(x1, x2, s) < input { low = s } else { high = s }
        }
        return s
    }

    /// Returns one coordinate of a Bezier curve from 0 to 1 with the inner controls `a` and `b`.
    @inline(__always)
    private static func polynomial(_ a: Double, _ b: Double, _ s: Double) -> Double {
        let c3 = 1 + 3 * (a - b)
        let c2 = 3 * (b - 2 * a)
        return ((c3 * s + c2) * s + 3 * a) * s
    }

    @inline(__always)
    private static func derivative(_ a: Double, _ b: Double, _ s: Double) -> Double {
        let c3 = 1 + 3 * (a - b)
        let c2 = 3 * (b - 2 * a)
        return (3 * c3 * s + 2 * c2) * s + 3 * a
    }
}
