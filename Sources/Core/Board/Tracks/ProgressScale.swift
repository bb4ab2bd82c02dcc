// What a progress on its way is of its maximum, and where it keeps: nothing is done before it is done.

package import Labels

/// The values that a progress shows on its way. A spring swings, and an easing may lead past its end; a progress that
/// goes from nothing to all of its maximum has never more of it than all, nor less than nothing.
package struct ProgressBounds: Sendable {
    /// Between which they lie; the greatest doubles where there is no bound.
    package let lower: Double
    package let upper: Double

    /// Every value is shown.
    static let none = ProgressBounds(lower: -.greatestFiniteMagnitude, upper: .greatestFiniteMagnitude)

    private init(lower: Double, upper: Double) { (self.lower, self.upper) = (lower, upper) }

    /// - Parameters:
    ///   - maximum: The maximum shown.
    ///   - start: The fraction that it sets out from.
    ///   - ends: The fractions that it goes to. Where one is beyond the maximum, or below 0, so are values on the way.
    init(maximum: Double, start: Double, ends: ClosedRange<Double>) {
        lower = min(start, ends.lowerBound) < 0 ? -.greatestFiniteMagnitude : 0
        // What sets out from all of it shows all of it until it has left.
        upper =
            max(start, ends.upperBound) > 1 ? .greatestFiniteMagnitude : start == 1 ? maximum : max(0, maximum.nextDown)
    }

    /// What a value is of a maximum: of one of nothing, nothing is all.
    static func share(of value: Double, _ maximum: Double) -> Double {
        if maximum > 0 { return value / maximum }
        return value == 0 ? 1 : value > 0 ? .infinity : -.infinity
    }

    @inline(__always)
    package func hold(_ value: Double) -> Double { min(max(value, lower), upper) }
}

/// What turns a progress' value on its way into its share of the maximum, until the next change of the track.
package struct ProgressScale: Sendable {
    private let maximum: Double
    private let end: Double
    private let endPercent: Int
    /// Where its values keep.
    package let bounds: ProgressBounds

    /// - Parameter end: Where the motion goes.
    init(maximum: ExactDecimal, end: ExactDecimal, bounds: ProgressBounds) {
        self.maximum = maximum.double
        self.end = end.double
        endPercent = ProgressMath.percent(current: end, maximum: maximum)
        self.bounds = bounds
    }

    /// - Parameter value: Within the bounds.
    package func share(of value: Double) -> ProgressShare {
        ProgressShare(
            fraction: ProgressMath.fraction(of: value, maximum: maximum),
            percent: ProgressMath.percent(of: value, maximum: maximum, end: end, endPercent: endPercent))
    }
}

extension ProgressShare {
    /// That of a value while the maximum is on its way, too.
    static func onTheWay(_ value: Double, of maximum: Double) -> ProgressShare {
        ProgressShare(
            fraction: ProgressMath.fraction(of: value, maximum: maximum),
            percent: ProgressMath.percent(of: value, maximum: maximum, end: .infinity, endPercent: .max))
    }
}
