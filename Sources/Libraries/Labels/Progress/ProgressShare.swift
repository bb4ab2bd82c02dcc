// What the frames of a progress tell beyond its value.

/// What a progress' value is of its maximum.
package struct ProgressShare: Sendable {
    /// Unclamped.
    package let fraction: Double
    /// Whole percents, truncated; 100 only when it is done.
    package let percent: Int

    package init(fraction: Double, percent: Int) {
        self.fraction = fraction
        self.percent = percent
    }
}
