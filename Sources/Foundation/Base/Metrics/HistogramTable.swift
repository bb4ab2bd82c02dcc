// Histograms by a key of few values, made when the first duration of a key comes.

import Synchronization

/// Histograms by key. A key never has anything in it that a client chose: each costs memory here, and a series wherever the
/// figures are kept.
package final class HistogramTable<Key: Hashable & Sendable>: Sendable {
    private let histograms = Mutex<[Key: Histogram]>([:])
    private let maximum: Int

    /// - Parameter maximum: The most keys; durations of others are not counted.
    package init(maximum: Int) { self.maximum = maximum }

    /// Counts a duration.
    package func observe(_ key: Key, nanoseconds: Int64) {
        let histogram: Histogram? = histograms.withLock { histograms in
            if let known = histograms[key] { return known }
            guard histograms.count < maximum else { return nil }
            let new = Histogram()
            histograms[key] = new
            return new
        }
        histogram?.observe(nanoseconds: nanoseconds)
    }

    /// What was counted so far, in no order.
    package var snapshots: [(key: Key, snapshot: HistogramSnapshot)] {
        histograms.withLock { $0.map { ($0.key, $0.value.snapshot) } }
    }
}
