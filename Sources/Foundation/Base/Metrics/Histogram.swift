// A histogram of durations. Any thread may add without a lock, and read.

import Synchronization

/// A histogram of durations with bounds in steps of 1, 2 and 5, from a tenth of a millisecond to ten seconds.
package final class Histogram: Sendable {
    /// The inclusive upper bounds in nanoseconds. Longer durations have a bucket of their own.
    package static let bounds: [Int64] = [
        100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000, 100_000_000,
        200_000_000, 500_000_000, 1_000_000_000, 2_000_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// One for each bound, and one for longer durations.
    private let counts = InlineArray<17, Atomic<UInt64>> { _ in Atomic(0) }
    /// Nanoseconds.
    private let sum = Atomic<UInt64>(0)

    package init() {}

    /// Counts a duration.
    /// - Parameters:
    ///   - nanoseconds: Negative values count as 0: two threads read their clocks one after another.
    ///   - count: How many times.
    package func observe(nanoseconds: Int64, count: UInt64 = 1) {
        let length = max(0, nanoseconds)
        var bucket = 0
        while bucket < Self.bounds.count, length > Self.bounds[bucket] { bucket += 1 }
        counts[bucket].wrappingAdd(count, ordering: .relaxed)
        sum.wrappingAdd(UInt64(length) &* count, ordering: .relaxed)
    }

    /// The current counts.
    package var snapshot: HistogramSnapshot {
        HistogramSnapshot(
            counts: counts.indices.map { counts[$0].load(ordering: .relaxed) }, sum: sum.load(ordering: .relaxed))
    }
}

/// A histogram at one moment.
package struct HistogramSnapshot: Hashable, Sendable {
    /// By bucket, in the order of the bounds; not cumulative.
    package private(set) var counts: [UInt64]
    /// The sum of all durations in nanoseconds.
    package private(set) var sum: UInt64

    init(counts: [UInt64], sum: UInt64) {
        self.counts = counts
        self.sum = sum
    }

    /// An empty histogram.
    package init() { self.init(counts: Array(repeating: 0, count: Histogram.bounds.count + 1), sum: 0) }

    /// The number of durations.
    package var count: UInt64 { counts.reduce(0, &+) }

    /// Adds the counts of another histogram.
    package mutating func add(_ other: HistogramSnapshot) {
        for bucket in counts.indices { counts[bucket] &+= other.counts[bucket] }
        sum &+= other.sum
    }
}
