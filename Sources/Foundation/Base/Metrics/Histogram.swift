// Durations, counted by how long they were: added to by any thread without a lock, read by any.

import Synchronization

/// A histogram of durations whose bounds go in steps of 1, 2 and 5 from a tenth of a millisecond to ten seconds.
package final class Histogram: Sendable {
    /// The bounds in nanoseconds, each the longest that its bucket takes; what is longer has a bucket of its own.
    package static let bounds: [Int64] = [
        100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000, 100_000_000,
        200_000_000, 500_000_000, 1_000_000_000, 2_000_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// One for each bound, and one for what is longer than all of them.
    private let counts = InlineArray<17, Atomic<UInt64>> { _ in Atomic(0) }
    /// Nanoseconds.
    private let sum = Atomic<UInt64>(0)

    package init() {}

    /// Counts a duration.
    /// - Parameters:
    ///   - nanoseconds: Less than nothing counts as nothing: clocks of two threads are read one after another.
    ///   - count: How many times.
    package func observe(nanoseconds: Int64, count: UInt64 = 1) {
        let length = max(0, nanoseconds)
        var bucket = 0
        while bucket < Self.bounds.count, length > Self.bounds[bucket] { bucket += 1 }
        counts[bucket].wrappingAdd(count, ordering: .relaxed)
        sum.wrappingAdd(UInt64(length) &* count, ordering: .relaxed)
    }

    /// What was counted so far.
    package var snapshot: HistogramSnapshot {
        HistogramSnapshot(
            counts: counts.indices.map { counts[$0].load(ordering: .relaxed) }, sum: sum.load(ordering: .relaxed))
    }
}

/// A histogram at a moment.
package struct HistogramSnapshot: Hashable, Sendable {
    /// By bucket, in the order of the bounds, each of its own durations alone.
    package private(set) var counts: [UInt64]
    /// Nanoseconds of all together.
    package private(set) var sum: UInt64

    init(counts: [UInt64], sum: UInt64) {
        self.counts = counts
        self.sum = sum
    }

    /// One in which nothing was counted.
    package init() { self.init(counts: Array(repeating: 0, count: Histogram.bounds.count + 1), sum: 0) }

    /// How many durations there were.
    package var count: UInt64 { counts.reduce(0, &+) }

    /// Adds what another has counted.
    package mutating func add(_ other: HistogramSnapshot) {
        for bucket in counts.indices { counts[bucket] &+= other.counts[bucket] }
        sum &+= other.sum
    }
}
