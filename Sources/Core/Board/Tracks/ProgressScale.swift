// The share of its maximum that a moving progress shows, and the bounds of its values: nothing shows as done too early.

package import Labels

/// The bounds of the values that a moving progress shows. A spring or an easing may overshoot, but a progress between 0 and
/// its maximum never shows more than all or less than nothing.
package struct ProgressBounds: Sendable {
    /// The greatest doubles where there is no bound.
    package let lower: Double
    package let upper: Double

    /// No bounds: every value is shown.
    static let none = ProgressBounds(lower: -.greatestFiniteMagnitude, upper: .greatestFiniteMagnitude)

    private init(lower: Double, upper: Double) { (self.lower, self.upper) = (lower, upper) }

    /// - Parameters:
    ///   - maximum: The maximum shown.
    ///   - start: The fraction at which the motion starts.
    ///   - ends: The fractions that it goes to. If one is above 1 or below 0, there is no bound on that side.
    init(maximum: Double, start: Double, ends: ClosedRange<Double>) {
        lower = min(start, ends.lowerBound) < 0 ? -.greatestFiniteMagnitude : 0
        // A progress that starts at its maximum shows all of it until it has left.
        upper =
            max(start, ends.upperBound) > 1 ? .greatestFiniteMagnitude : start == 1 ? maximum : max(0, maximum.nextDown)
    }

    /// Returns a value's share of a maximum. If the maximum is 0, a value of 0 is all of it.
    static func share(of value: Double, _ maximum: Double) -> Double {
        if maximum > 0 { return value / maximum }
        return value == 0 ? 1 : value > 0 ? .infinity : -.infinity
    }

    @inline(__always)
    package func hold(_ value: Double) -> Double { min(max(value, lower), upper) }
}

/// Converts a moving progress' values into shares of the maximum; valid until the track's next change.
package struct ProgressScale: Sendable {
    private let maximum: Double
    private let end: Double
    private let endPercent: Int
    /// The bounds of its values.
    package let bounds: ProgressBounds

    /// - Parameter end: The value at which the motion ends.
    init(maximum: ExactDecimal, end: ExactDecimal, bounds: ProgressBounds) {
        self.maximum = maximum.double
        self.end = end.double
        endPercent = ProgressMath.percent(current: end, maximum: maximum)
        self.bounds = bounds
    }

    /// - Parameter value: A value within the bounds.
    package func share(of value: Double) -> ProgressShare {
        ProgressShare(
            fraction: ProgressMath.fraction(of: value, maximum: maximum),
            percent: ProgressMath.percent(of: value, maximum: maximum, end: end, endPercent: endPercent))
    }
}

extension ProgressShare {
    /// Returns the share of a value while the maximum moves, too.
    static func onTheWay(_ value: Double, of maximum: Double) -> ProgressShare {
        ProgressShare(
            fraction: ProgressMath.fraction(of: value, maximum: maximum),
            percent: ProgressMath.percent(of: value, maximum: maximum, end: .infinity, endPercent: .max))
    }
}
