// Motions: ends, playback, retargets and the edges that no vector names.
import TestSupport
import Testing

@testable import Tween

@Suite struct MotionTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    private func after(_ seconds: Double) -> Instant { start.advanced(bySeconds: seconds) }

    private func motion(_ timing: Timing, from: Double = 0, to: Double = 10) -> Motion {
        Motion(from: from, to: to, course: .timed(timing), startingAt: start)
    }

    @Test func `delays come before and after the movement`() {
        let motion = motion(Timing(duration: 2, delay: 1, endDelay: 3))
        #expect(motion.value(at: after(-5)) == 0 && motion.value(at: after(0.9)) == 0)
        #expect(motion.value(at: after(2)) == 5)
        #expect(motion.settled == after(3) && motion.end == after(6))
        #expect(!motion.isComplete(at: after(5.9)) && motion.isComplete(at: after(6)))
        #expect(motion.fraction(at: after(0.5)) == 0 && motion.fraction(at: after(1.5)) == 0.25)
        #expect(motion.fraction(at: after(9)) == 1 && motion.elapsed(at: after(9)) == 6)
    }

    @Test func `a duration of zero is there at once`() {
        let motion = motion(Timing(duration: 0))
        #expect(motion.value(at: start) == 10 && motion.end == start && motion.velocity(at: start) == 0)
        #expect(motion.fraction(at: start) == 1)
    }

    @Test(
        arguments: [
            (Direction.normal, 1.0, 10.0), (.normal, 2.5, 5), (.reverse, 1, 0), (.reverse, 1.25, 7.5),
            (.alternate, 2, 0), (.alternate, 3, 10), (.alternateReverse, 1, 0), (.alternateReverse, 2, 10),
            (.normal, 0, 0),
        ])
    func `the destination is where the last frame is`(direction: Direction, iterations: Double, value: Double) throws {
        let motion = motion(Timing(duration: 0.7, iterations: iterations, direction: direction))
        #expect(abs(motion.destination - value) < 1e-12)
        #expect(motion.value(at: try #require(motion.end)) == motion.destination)
        #expect(motion.value(at: try #require(motion.settled)) == motion.destination)
        #expect(motion.value(at: after(1000)) == motion.destination)
    }

    @Test func `a motion for ever has no end and keeps its cycles`() {
        let motion = motion(Timing(duration: 1, iterations: .infinity, direction: .alternate))
        #expect(motion.end == nil && motion.settled == nil)
        #expect(motion.value(at: after(1_000_000.25)) == 2.5 && motion.value(at: after(1_000_001.25)) == 7.5)
        #expect(motion.fraction(at: after(7.5)) == 0.5)
    }

    @Test func `an easing that ends elsewhere does not change where a motion ends`() throws {
        let motion = motion(Timing(duration: 1, easing: try Easing(parsing: "linear(1, -0.5, 0.3)")))
        #expect(motion.value(at: after(-1)) == 0 && motion.value(at: after(1)) == 10)
    }

    @Test func `rounding never takes a motion past its target just before the end`() {
        for index in 1...2000 {
            let (from, to) = (0.1 * Double(index), 0.3 * Double(index) + 0.7)
            let motion = motion(Timing(duration: 1), from: from, to: to)
            #expect(motion.value(atTime: 1 - 1e-16) <= to && motion.value(atTime: (1.0).nextDown) <= to)
        }
    }

    @Test func `a paused motion keeps its value and the time left`() {
        var motion = motion(Timing(duration: 2))
        motion.pause(at: after(0.5))
        #expect(motion.isPaused && motion.end == nil && motion.settled == nil)
        #expect(motion.value(at: after(100)) == 2.5 && motion.velocity(at: after(100)) == 0)
        motion.resume(at: after(200))
        #expect(motion.value(at: after(200)) == 2.5 && motion.end == after(201.5))
        motion.resume(at: after(201))
        #expect(motion.end == after(201.5))
    }

    @Test func `a change of rate keeps the value and scales the velocity`() {
        var motion = motion(Timing(duration: 2))
        motion.setRate(4, at: after(0.5))
        #expect(motion.value(at: after(0.5)) == 2.5 && motion.velocity(at: after(0.5)) == 20)
        #expect(motion.end == after(0.875))
        motion.setRate(0, at: after(0.625))
        #expect(motion.value(at: after(9)) == 5 && motion.end == nil)
        motion.setRate(-1, at: after(9))
        #expect(motion.value(at: after(9.5)) == 2.5 && motion.end == after(10) && motion.destination == 0)
        #expect(motion.value(at: after(11)) == 0 && motion.isComplete(at: after(10)))
    }

    @Test func `a slow rate far in the future loses no precision`() {
        var motion = motion(Timing(duration: 31_536_000))
        motion.setRate(1e-9, at: after(15_768_000))
        #expect(motion.value(at: after(15_768_000)) == 5 && motion.value(at: after(15_768_001)) >= 5)
        #expect(motion.value(at: after(15_768_001)) < 5.0001)
    }

    @Test func `a motion seeks by fraction and by seconds, also while paused`() throws {
        var motion = motion(Timing(duration: 2, delay: 1))
        motion.seek(toFraction: 0.5, at: after(0))
        #expect(motion.value(at: start) == 5 && motion.end == after(1))
        motion.seek(toSeconds: 1.5, at: after(0))
        #expect(motion.value(at: start) == 2.5)
        motion.pause(at: start)
        motion.seek(toFraction: 1, at: start)
        #expect(motion.isPaused && motion.value(at: after(9)) == 10)
        motion.seek(toFraction: .nan, at: start)
        motion.seek(toSeconds: .infinity, at: start)
        #expect(motion.value(at: after(9)).isFinite)
        motion.resume(at: after(9))
        try motion.finish(at: after(9))
        #expect(motion.isComplete(at: after(9)) && motion.end == after(9))
    }

    @Test func `a spring settles within half of the last digit shown`() throws {
        let spring = try Spring(duration: 0.5, bounce: 0.3)
        let course = Motion.Course.spring(spring, delay: 0.25, endDelay: 1, threshold: 0.001)
        var motion = Motion(from: 0, to: 1000, course: course, startingAt: start)
        motion.settle(within: 0.5)
        #expect(abs(try #require(motion.settled).seconds(since: start) - 0.25 - 0.868427106673612) < 1e-6)
        #expect(abs(try #require(motion.end).seconds(since: start) - 1.25 - 0.868427106673612) < 1e-6)
        #expect(motion.value(at: try #require(motion.settled)) == 1000)
        #expect(motion.value(at: after(0.25 + 0.35)) > 1045)
    }

    @Test func `a clamped spring does not overshoot, and a retarget starts from the clamped value`() throws {
        let spring = try Spring(duration: 0.5, bounce: 0.6)
        let course = Motion.Course.spring(spring, delay: 0, endDelay: 0, threshold: 0.001)
        let motion = Motion(from: 0, to: 1, course: course, startingAt: start, overshoot: .clamp)
        #expect(motion.value(at: after(0.3)) == 1 && motion.velocity(at: after(0.3)) == 0)
        let next = motion.retargeted(to: 2, course: course, at: after(0.3), overshoot: .clamp)
        #expect(next.value(at: after(0.3)) == 1)
        // A velocity away from the target may go below the start, or the value would stop dead.
        let away = Motion(from: 0, to: 1, course: course, startingAt: start, velocity: -5, overshoot: .clamp)
        #expect(away.value(at: after(0.02)) < 0 && away.velocity(at: after(0.01)) < 0)
    }

    @Test func `a clamped motion retargeted at its start hands over its velocity`() {
        let timing = Timing(duration: 1)
        let motion = Motion(from: 0, to: 1, course: .timed(timing), startingAt: start, overshoot: .clamp)
        let next = motion.retargeted(to: 2, course: .timed(timing), at: start, overshoot: .clamp)
        #expect(next.velocity(at: start) == 1)
    }

    @Test func `settling within a tolerance is found for easings too`() throws {
        let motion = motion(Timing(duration: 1, easing: .easeOut))
        let quiet = try #require(motion.settled(within: 0.5))
        // 10 (1 - p)^2.8 = 0.5
        #expect(abs(quiet.seconds(since: start) - 0.6569) < 1e-3)
        #expect(abs(motion.value(at: quiet) - 10) <= 0.5)
    }

    @Test func `a retarget with delay or steps drops the velocity`() throws {
        let moving = motion(Timing(duration: 1))
        let delayed = moving.retargeted(
            to: 20, course: .timed(Timing(duration: 1, delay: 0.5)), at: after(0.5), overshoot: .allow)
        #expect(delayed.handover == 0 && delayed.value(at: after(0.99)) == 5)
        let stepped = moving.retargeted(
            to: 25, course: .timed(Timing(duration: 1, easing: try .steps(2))), at: after(0.5), overshoot: .allow)
        #expect(stepped.value(at: after(0.99)) == 5 && stepped.value(at: after(1)) == 15)
    }

    @Test func `a retarget with another rate keeps the velocity`() {
        let moving = motion(Timing(duration: 1))
        let next = moving.retargeted(
            to: 20, course: .timed(Timing(duration: 3, easing: .ease)), at: after(0.5), overshoot: .allow, rate: 2)
        #expect(abs(next.velocity(at: after(0.5)) - 10) < 1e-9)
    }

    @Test func `a velocity taken over affects only the first cycle`() {
        let motion = Motion(
            from: 25, to: 0, course: .timed(Timing(duration: 1, iterations: 2, easing: .easeOut)), startingAt: start,
            velocity: 50)
        #expect(motion.velocity(at: start) == 50 && motion.value(at: after(0.05)) > 25)
        #expect(motion.value(at: after(1)) == 25)
        #expect(abs(motion.value(at: after(1.25)) - 11.171501448561694) < 1e-9)
    }

    @Test func `a motion of extreme numbers never traps`() {
        var random = SeededRandom(seed: 9)
        let numbers = [
            0, -0.0, 1, -1, 0.5, .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, 1e18, 1e-18,
        ]
        func any() -> Double { numbers.randomElement(using: &random) ?? 0 }
        for _ in 0..<20_000 {
            let timing = Timing(
                duration: any(), delay: any(), endDelay: any(), iterations: any(), iterationStart: any(),
                direction: Direction.allCases.randomElement(using: &random) ?? .normal, easing: .ease)
            var motion = Motion(
                from: any(), to: any(), course: .timed(timing),
                startingAt: Instant(nanoseconds: .random(in: .min ... .max, using: &random)),
                velocity: any(), rate: any(), overshoot: random.pick(Overshoot.allCases))
            let instant = Instant(nanoseconds: .random(in: .min ... .max, using: &random))
            motion.seek(toSeconds: any(), at: instant)
            motion.setRate(any(), at: instant)
            motion.settle(within: any())
            try? motion.reverse(at: instant)
            _ = (motion.value(at: instant), motion.velocity(at: instant), motion.end, motion.settled)
            _ = (motion.destination, motion.fraction(at: instant), motion.settled(within: any()))
            motion = motion.retargeted(to: any(), course: motion.course, at: instant, overshoot: .clamp, rate: any())
            _ = motion.value(at: instant)
        }
    }
}
