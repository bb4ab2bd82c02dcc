// What the frames of a progress report in addition to its value.

/// A progress' value relative to its maximum.
package struct ProgressShare: Sendable {
    /// Unclamped.
    package let fraction: Double
    /// Integer percentage, truncated; 100 only when it is done.
    package let percent: Int

    package init(fraction: Double, percent: Int) {
        self.fraction = fraction
        self.percent = percent
    }
}
