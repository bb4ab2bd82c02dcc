// Rates and times left: the vectors, and what estimators are known to get wrong.

import Labels
import TestSupport
import Testing

struct RateEstimatorTests {
    @Test(arguments: try VectorCase.all("rate", in: "easing.json"))
    func `the decaying rate equals the test vectors`(vector: VectorCase) throws {
        var estimator = RateEstimator(window: try #require(vector.fields["window"]?.number))
        estimator.observe(0, at: 0)
        for event in try #require(vector.fields["events"]?.list) {
            estimator.observe(try #require(event["n"]?.number), at: try #require(event["t"]?.number))
        }
        try expect(estimator.rate(at: try #require(vector.fields["query"]?.number)), vector)
    }

    private func expect(_ rate: Double?, _ vector: VectorCase) throws {
        let expected = try #require(vector.fields["expect"]?.number)
        let tolerance = try #require(vector.fields["tol"]?.number)
        #expect(abs(try #require(rate) - expected) <= tolerance * max(1, expected))
    }

    @Test func `a shown estimate lies within its own range, also between updates`() throws {
        var estimator = RateEstimator()
        for step in 0...20 {
            estimator.observe(Double(step) * 20, at: Double(step) * 4)
            guard step >= 2 else { continue }
            for late in [0, 1, 3, 3.9, 6, 9] {
                let estimate = try #require(estimator.smoothedEstimate(remaining: 600, at: Double(step) * 4 + late))
                #expect(estimate.range.contains(estimate.seconds))
                // Steady progress has one rate.
                if late < 4 { #expect(estimate.range.upperBound - estimate.range.lowerBound < 0.2 * estimate.seconds) }
            }
        }
    }

    @Test func `waiting time before a progress begins doesn't lower its rate`() throws {
        var waited = RateEstimator()
        waited.observe(0, at: 0)
        waited.begin(at: 60)
        var other = RateEstimator()
        other.observe(0, at: 60)
        for second in 1...5 {
            waited.observe(Double(second) * 5, at: 60 + Double(second))
            other.observe(Double(second) * 5, at: 60 + Double(second))
        }
        #expect(waited.averageRate(at: 65) == 5 && waited.startTime == 0)
        #expect(waited.estimate(remaining: 50, at: 65) == other.estimate(remaining: 50, at: 65))
        #expect(waited.isStalled(at: 70) && other.isStalled(at: 70))
    }

    @Test func `the rate decays while nothing arrives, and the task stalls after three gaps`() throws {
        var estimator = Self.steady(until: 10)
        let before = try #require(estimator.rate(at: 10))
        #expect(abs(before - 5) < 1e-9)
        #expect(try #require(estimator.rate(at: 20)) < before / 2)
        #expect(!estimator.isStalled(at: 13))
        #expect(estimator.isStalled(at: 13.01))
        #expect(estimator.estimate(remaining: 10, at: 13.01) == nil)
        estimator.observe(60, at: 14)
        #expect(!estimator.isStalled(at: 14))
    }

    @Test func `a resumed task's rate counts only progress since the resume`() throws {
        var estimator = RateEstimator()
        estimator.observe(9_000, at: 100)
        #expect(estimator.rate(at: 100) == nil)
        for second in 1...5 { estimator.observe(9_000 + Double(second), at: 100 + Double(second)) }
        #expect(abs(try #require(estimator.rate(at: 105)) - 1) < 1e-9)
        #expect(estimator.averageRate(at: 105) == 1)
    }

    @Test func `an estimate waits for two samples and one second`() throws {
        var estimator = RateEstimator()
        estimator.observe(0, at: 0)
        estimator.observe(10, at: 0.25)
        #expect(estimator.estimate(remaining: 10, at: 0.25) == nil)
        estimator.observe(20, at: 0.5)
        #expect(estimator.estimate(remaining: 10, at: 0.5) == nil)
        estimator.observe(40, at: 1)
        let estimate = try #require(estimator.estimate(remaining: 80, at: 1))
        #expect(abs(estimate.seconds - 2) < 1e-9)
        #expect(estimate.range.upperBound - estimate.range.lowerBound < 1e-9)
        // Four times as fast from here on: the recent rate lags behind the average at first, and both bound the range.
        for second in 2...6 { estimator.observe(40 + 160 * Double(second - 1), at: Double(second)) }
        let later = try #require(estimator.estimate(remaining: 840, at: 6))
        #expect(abs(later.range.lowerBound - 6) < 1e-9)
        #expect(later.range.upperBound == later.seconds)
        #expect((6.5..<8).contains(later.seconds))
    }

    @Test func `a slow task gets an estimate although its gaps exceed the window`() throws {
        var estimator = RateEstimator()
        for step in 0...5 { estimator.observe(Double(step), at: Double(step) * 60) }
        let estimate = try #require(estimator.estimate(remaining: 5, at: 300))
        #expect(abs(estimate.seconds - 300) < 1e-6)
    }

    @Test func `a falling position restarts the rate, an unchanged one adds no sample`() {
        var estimator = Self.steady(until: 10)
        estimator.observe(50, at: 11)
        #expect(estimator.sampleCount == 10)
        estimator.observe(0, at: 12)
        #expect(estimator.sampleCount == 0)
        #expect(estimator.rate(at: 12) == nil)
    }

    @Test func `samples with times that go back or are not finite are ignored`() throws {
        var estimator = Self.steady(until: 4)
        estimator.observe(30, at: 3)
        estimator.observe(31, at: 4)
        estimator.observe(.nan, at: 5)
        estimator.observe(32, at: .infinity)
        #expect(estimator.sampleCount == 4)
        #expect(try #require(estimator.rate(at: 1)).isFinite)
    }

    @Test func `the shown rate changes at most twice a second`() throws {
        var estimator = Self.steady(until: 10)
        let first = try #require(estimator.smoothedRate(at: 10))
        // A wild sample is not seen before half a second is over.
        estimator.observe(90, at: 10.1)
        #expect(estimator.smoothedRate(at: 10.2) == first)
        #expect(try #require(estimator.rate(at: 10.1)) > first)
        estimator.observe(95, at: 10.5)
        #expect(try #require(estimator.smoothedRate(at: 10.5)) > first)
    }

    @Test func `the time left counts down through a usual gap and never up between steady updates`() throws {
        var estimator = Self.steady(until: 10)
        var last = Double.infinity
        for step in 1...200 {
            let now = 10 + Double(step) * 0.05
            if step % 20 == 0 { estimator.observe(5 * now, at: now) }
            let done = 5 * (10 + Double(step / 20))
            let left = try #require(estimator.smoothedEstimate(remaining: 200 - done, at: now)).seconds
            #expect(left <= last + 1e-9)
            #expect(abs(left - (40 - now)) < 1e-6)
            last = left
        }
    }

    @Test func `an estimator restores from its numbers, and from malformed ones is new`() {
        let estimator = Self.steady(until: 7)
        let restored = RateEstimator(numbers: estimator.numbers)
        #expect(restored == estimator)
        #expect(restored.rate(at: 9) == estimator.rate(at: 9))
        #expect(RateEstimator().numbers.isEmpty)
        for broken in [[], [1], Array(repeating: Double.nan, count: 10), Array(repeating: -1, count: 10)] {
            #expect(RateEstimator(numbers: broken) == RateEstimator())
        }
    }

    /// Five units a second, one observation each second.
    private static func steady(until end: Int) -> RateEstimator {
        var estimator = RateEstimator()
        for second in 0...end { estimator.observe(Double(second * 5), at: Double(second)) }
        return estimator
    }
}
