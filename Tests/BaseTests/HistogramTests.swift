// Histograms: where a duration is counted, and that threads lose nothing.

import Foundation
import Testing

@testable import Base

@Suite struct HistogramTests {
    @Test func `histogram bounds step by 1, 2 and 5 from 0.1 milliseconds to 10 seconds`() {
        #expect(Histogram.bounds.first == 100_000 && Histogram.bounds.last == 10_000_000_000)
        let steps = zip(Histogram.bounds, Histogram.bounds.dropFirst()).map { Double($1) / Double($0) }
        #expect(steps.allSatisfy { $0 == 2 || $0 == 2.5 })
        #expect(HistogramSnapshot().counts.count == Histogram.bounds.count + 1)
    }

    @Test func `an observation at a bound counts in its bucket, a longer one in the next`() {
        for (bucket, bound) in Histogram.bounds.enumerated() {
            let histogram = Histogram()
            histogram.observe(nanoseconds: bound)
            histogram.observe(nanoseconds: bound + 1)
            var expected = [UInt64](repeating: 0, count: Histogram.bounds.count + 1)
            expected[bucket] = 1
            expected[bucket + 1] = 1
            #expect(histogram.snapshot.counts == expected)
            #expect(histogram.snapshot.sum == UInt64(bound) * 2 + 1)
        }
    }

    @Test func `a negative observation counts as zero, and one call may count many`() {
        let histogram = Histogram()
        histogram.observe(nanoseconds: -5)
        histogram.observe(nanoseconds: 1_000_000, count: 1_000)
        #expect(histogram.snapshot.count == 1_001)
        #expect(histogram.snapshot.counts[0] == 1 && histogram.snapshot.counts[3] == 1_000)
        #expect(histogram.snapshot.sum == 1_000_000_000)
    }

    @Test func `concurrent observations are all counted`() async {
        let histogram = Histogram()
        let table = HistogramTable<Int>(maximum: 4)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<10_000 {
                        histogram.observe(nanoseconds: Int64(number) * 1_000)
                        table.observe(task % 4, nanoseconds: 1)
                    }
                }
            }
        }
        #expect(histogram.snapshot.count == 80_000)
        let sum: UInt64 = 8 * 1_000 * 9_999 * 10_000 / 2
        #expect(histogram.snapshot.sum == sum)
        #expect(table.snapshots.map(\.snapshot.count) == Array(repeating: 20_000, count: 4))
    }

    @Test func `the sum of two histograms equals one with all observations`() {
        let (first, second, all) = (Histogram(), Histogram(), Histogram())
        for length in [5, 200_000, 3_000_000, 60_000_000_000] as [Int64] {
            first.observe(nanoseconds: length)
            second.observe(nanoseconds: length * 3)
            all.observe(nanoseconds: length)
            all.observe(nanoseconds: length * 3)
        }
        var sum = first.snapshot
        sum.add(second.snapshot)
        #expect(sum == all.snapshot)
    }

    @Test func `a table of histograms ignores keys beyond its maximum`() {
        let table = HistogramTable<Int>(maximum: 2)
        for key in 0..<5 { table.observe(key, nanoseconds: 1) }
        #expect(Set(table.snapshots.map(\.key)) == [0, 1])
    }

    private enum Fruit: CaseIterable { case apple, pear }

    @Test func `counters of different keys are separate`() {
        let counters = CounterTable<Fruit>()
        counters.add(to: .apple)
        counters.add(4, to: .apple)
        #expect(counters[.apple] == 5 && counters[.pear] == 0)
    }
}
