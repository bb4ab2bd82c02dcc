// Automatic durations: what they learn, and that a jittered feed driven by them never stands still.
import TestSupport
import Testing

@testable import Tween

@Suite struct CadenceEstimatorTests {
    @Test func `an automatic duration is unknown before the second update`() {
        var cadence = CadenceEstimator()
        #expect(cadence.duration == nil)
        cadence.observe(Instant(nanoseconds: 0))
        cadence.observe(Instant(nanoseconds: 0))
        #expect(cadence.duration == nil)
        cadence.observe(Instant(nanoseconds: 1_000_000_000))
        #expect(cadence.duration == 1.07)
    }

    @Test func `an automatic duration ignores one long pause and a burst`() throws {
        var (cadence, now) = Self.steady(gap: 1, count: 20)
        let before = try #require(cadence.duration)
        Self.pass(600, &cadence, &now)
        #expect(cadence.duration == before)
        for _ in 0..<3 { Self.pass(0.001, &cadence, &now) }
        #expect(cadence.duration == before)
    }

    @Test func `an automatic duration follows a feed that becomes slower or faster`() throws {
        var (cadence, now) = Self.steady(gap: 1, count: 20)
        for _ in 0..<3 { Self.pass(30, &cadence, &now) }
        #expect(try #require(cadence.duration) > 29)
        for _ in 0..<12 { Self.pass(0.1, &cadence, &now) }
        #expect(try #require(cadence.duration) < 0.2)
    }

    @Test(arguments: UInt64(1)...40)
    func `a jittered steady feed with automatic durations keeps moving and lags at most one gap`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var cadence = CadenceEstimator()
        let start = Instant(nanoseconds: 0)
        var now = start
        let jitter = random.double(0...0.4)
        var motion = Motion(from: 0, to: 0, course: .timed(Timing(duration: 0)), startingAt: now)
        for index in 1...300 {
            // The feed rises by 1 a second, so that a lag in value is a lag in seconds; its mean gap is 1.
            let posted = now.seconds(since: start)
            cadence.observe(now)
            let timing = Timing(duration: cadence.duration ?? 1)
            motion = motion.retargeted(to: posted, course: .timed(timing), at: now, overshoot: .allow)
            let gap = random.double((1 - jitter)...(1 + jitter))
            let next = now.advanced(bySeconds: gap)
            // The first gaps are for learning.
            if index > 30 {
                for step in 0...20 {
                    #expect(motion.velocity(at: now.advanced(bySeconds: gap * Double(step) / 20)) > 0)
                }
                #expect(posted - motion.value(at: next) <= 1)
            }
            now = next
        }
    }

    private static func steady(gap: Double, count: Int) -> (CadenceEstimator, Instant) {
        var (cadence, now) = (CadenceEstimator(), Instant(nanoseconds: 0))
        cadence.observe(now)
        for _ in 0..<count { pass(gap, &cadence, &now) }
        return (cadence, now)
    }

    private static func pass(_ seconds: Double, _ cadence: inout CadenceEstimator, _ now: inout Instant) {
        now = now.advanced(bySeconds: seconds)
        cadence.observe(now)
    }
}
