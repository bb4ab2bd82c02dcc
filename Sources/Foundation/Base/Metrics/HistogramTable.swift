// Histograms by key, created with a key's first duration.

import Synchronization

/// Histograms by key. A key must never contain anything that a client chose: each costs memory here, and a series in the
/// monitoring system.
package final class HistogramTable<Key: Hashable & Sendable>: Sendable {
    private let histograms = Mutex<[Key: Histogram]>([:])
    private let maximum: Int

    /// - Parameter maximum: The most keys; durations of further ones are not counted.
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

    /// The current counts, in no particular order.
    package var snapshots: [(key: Key, snapshot: HistogramSnapshot)] {
        histograms.withLock { $0.map { ($0.key, $0.value.snapshot) } }
    }
}
