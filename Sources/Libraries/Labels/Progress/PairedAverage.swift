// The rate of discrete steps, for sources that know how long each took but not when.

/// The ratio of two exponential averages, of units and of seconds. Averaging the rates themselves would let short
/// steps count as much as long ones.
package struct PairedAverage: Hashable, Sendable {
    /// The weight of the newest step, 0...1.
    package let alpha: Double
    private var units = 0.0
    private var seconds = 0.0

    /// An average with that weight, held in 0...1, that has seen nothing.
    package init(alpha: Double = 0.3) {
        self.alpha = min(max(alpha, 0), 1)
    }

    /// Takes a step of so many units in so many seconds.
    package mutating func observe(_ units: Double, in seconds: Double) {
        self.units = alpha * units + (1 - alpha) * self.units
        self.seconds = alpha * seconds + (1 - alpha) * self.seconds
    }

    /// Units per second; nil before any time has passed. Both averages start at zero with the same bias, which the
    /// ratio cancels.
    package var rate: Double? { seconds > 0 ? units / seconds : nil }
}
