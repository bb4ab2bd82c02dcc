// Another clock, known by round trips alone.

import TestSupport
import Testing

@testable import Replication

@Suite struct ClockEstimateTests {
    private let offset: Int64 = 1_700_000_000_000_000_000

    /// A look whose way there and back took so long.
    private func sample(at now: Int64, there: Int64, back: Int64, drift: Int64 = 0) -> ClockEstimate.Sample {
        ClockEstimate.Sample(sent: now - there - back, received: now, shown: now - back + offset + drift)
    }

    @Test func `the first clock sample is used at once, with half its round trip as uncertainty`() throws {
        var clock = ClockEstimate()
        #expect(clock.offset == nil)
        clock.add(sample(at: 1_000_000_000, there: 300_000, back: 100_000))
        clock.approach(at: 1_000_000_000)
        let error = try #require(clock.offset) - offset
        #expect(abs(error) <= 200_000 && clock.uncertainty(at: 1_000_000_000) == 200_000)
    }

    @Test func `of many clock samples the shortest round trip counts`() throws {
        var (clock, random) = (ClockEstimate(), SeededRandom(seed: 5))
        var now: Int64 = 1_000_000_000
        for _ in 0..<2_000 {
            now += 100_000_000
            let slow = Int64(random.int(0...20_000_000))
            clock.add(sample(at: now, there: 50_000 + slow, back: 50_000))
            clock.approach(at: now)
        }
        #expect(abs(try #require(clock.offset) - offset) < 2_000_000)
    }

    @Test func `the estimated clock never goes back or jumps while the other clock drifts`() {
        var (clock, random) = (ClockEstimate(), SeededRandom(seed: 6))
        var (now, last): (Int64, Int64?) = (1_000_000_000, nil)
        for step in 0..<5_000 {
            now += 10_000_000
            // The other clock is up to 100 millionths too fast or too slow.
            let drift = Int64(step) * (step < 2_500 ? 1_000 : -1_000)
            let slow = Int64(random.int(0...1_000_000))
            clock.add(sample(at: now, there: 50_000, back: 50_000 + slow, drift: drift))
            let shift = clock.approach(at: now)
            #expect(shift == nil)
            let shown = now + (clock.offset ?? 0)
            if let last { #expect((9_949_000...10_051_000).contains(shown - last)) }
            last = shown
        }
    }

    @Test(arguments: [3_600_000_000_000, -3_600_000_000_000, 500_000_000])
    func `a step of the other clock is followed at once`(nanoseconds: Int64) throws {
        var clock = ClockEstimate()
        for step in 1...20 {
            clock.add(sample(at: Int64(step) * 1_000_000_000, there: 50_000, back: 50_000))
            clock.approach(at: Int64(step) * 1_000_000_000)
        }
        clock.add(sample(at: 21_000_000_000, there: 5_000_000, back: 50_000, drift: nanoseconds))
        let found = clock.approach(at: 21_000_000_000)
        let shift = try #require(found)
        #expect(abs(shift - nanoseconds) < 10_000_000)
        let shiftNext = clock.approach(at: 22_000_000_000)
        #expect(shiftNext == nil)
    }

    @Test func `the reported uncertainty covers the remaining error and the clocks' drift`() throws {
        var (clock, random) = (ClockEstimate(), SeededRandom(seed: 7))
        // The first look is of a time at which the machine was busy: its answer was long on its way.
        clock.add(sample(at: 1_000_000_000, there: 100_000, back: 40_000_000))
        var now: Int64 = 1_000_000_000
        for _ in 0..<1_000 {
            clock.approach(at: now)
            let error = abs(try #require(clock.offset) - offset)
            #expect(error <= clock.uncertainty(at: now) ?? 0)
            now += 10_000_000
            clock.add(sample(at: now, there: 100_000 + Int64(random.int(0...5_000_000)), back: 100_000))
        }
        // It has come there within seconds.
        #expect(abs(try #require(clock.offset) - offset) < 1_000_000)
        let (soon, later) = (clock.uncertainty(at: now) ?? 0, clock.uncertainty(at: now + 10_000_000_000) ?? 0)
        #expect(later > soon + 500_000)
    }

    @Test func `settle takes the best clock sample at once`() throws {
        var clock = ClockEstimate()
        clock.add(sample(at: 1_000_000_000, there: 100_000, back: 40_000_000))
        clock.approach(at: 1_000_000_000)
        clock.add(sample(at: 1_100_000_000, there: 100_000, back: 100_000))
        clock.settle(at: 1_100_000_000)
        #expect(clock.offset == offset && clock.uncertainty(at: 1_100_000_000) == 100_000)
    }

    @Test(arguments: [
        (3_600_000_000_000, 50_000, true), (-3_600_000_000_000, 50_000, true), (250_000_000, 50_000, true),
        (90_000_000, 50_000, false), (-90_000_000, 50_000, false),
        // As late as it came it may be of a clock that ran on.
        (250_000_000, 300_000_000, false), (-250_000_000, 300_000_000, false), (900_000_000, 300_000_000, true),
    ])
    func `a sample proves a clock step only if its round trip can't explain the difference`(
        drift: Int64, way: Int64, isProof: Bool
    ) {
        var clock = ClockEstimate()
        let first = sample(at: 1_000_000_000, there: 50_000, back: 50_000)
        #expect(clock.step(in: first) == nil)
        clock.add(first)
        let step = clock.step(in: sample(at: 3_000_000_000, there: way, back: way, drift: drift))
        #expect((step != nil) == isProof && abs((step ?? drift) - drift) < 1_000)
    }

    @Test func `a slow clock sample does not override a short one`() throws {
        var clock = ClockEstimate()
        clock.add(sample(at: 1_000_000_000, there: 50_000, back: 50_000))
        clock.approach(at: 1_000_000_000)
        // The process was stopped for ten seconds before it read the answer.
        clock.add(sample(at: 12_000_000_000, there: 50_000, back: 10_000_000_000))
        let shift = clock.approach(at: 12_000_000_000)
        #expect(shift == nil)
        #expect(abs(try #require(clock.offset) - offset) < 100_000)
    }
}
