// Properties that hold for every motion and every chain of interruptions, tried on random ones.
import TestSupport
import Testing

@testable import Tween

@Suite struct MotionPropertyTests {
    static let seeds = Array(UInt64(1)...40)

    /// Easings without an upright start, by text: whatever one may interrupt another with.
    static let smooth = [
        "linear", "ease", "ease-in", "ease-out", "ease-in-out", "easeIn", "easeOut", "power-in-out(3)", "power-in(1.5)",
        "linear(0, 0.3 20%, 0.5, 1)", "cubic-bezier(0.34, 1.56, 0.64, 1)", "cubic-bezier(0.36, 0, 0.66, -0.56)",
        "cubic-bezier(0.5, -0.5, 0.5, 1)", "back-in", "back", "elastic-in-out", "elastic", "bounce", "bounce-in",
    ]
    static let monotone = [
        "linear", "ease", "ease-in", "ease-out", "ease-in-out", "easeIn", "easeOut", "power-in-out(3)", "power-in(0.5)",
        "cubic-bezier(0, 1, 0, 1)", "linear(0, 0.3 20%, 0.5, 1)",
    ]

    @Test(arguments: seeds)
    func `value and velocity are continuous at every hand-over`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var now = Instant(nanoseconds: 0)
        var motion = Motion(
            from: 0, to: 100, course: try Self.course(Self.smooth, &random), startingAt: now)
        for _ in 0..<60 {
            now = now.advanced(bySeconds: random.double(0.001...0.6))
            let next = motion.retargeted(
                to: random.double(-200...200).rounded(), course: try Self.course(Self.smooth, &random), at: now,
                overshoot: .allow)
            let (velocity, scale) = (motion.velocity(at: now), 1 + abs(motion.velocity(at: now)))
            #expect(next.value(at: now) == motion.value(at: now))
            // From rest an easing starts as it always does.
            if velocity != 0 {
                #expect(abs(next.velocity(at: now) - velocity) <= 1e-9 * scale)
                // The velocity told is the one shown: a nanosecond-free difference quotient around the hand-over.
                let soon = now.advanced(bySeconds: 1e-6)
                let shown = (next.value(at: soon) - next.value(at: now)) / 1e-6
                #expect(abs(shown - velocity) <= 0.02 * scale + 1, "\(next)")
            }
            motion = next
        }
        let end = try #require(motion.end)
        #expect(motion.value(at: end) == motion.to)
        #expect(motion.value(at: end.advanced(bySeconds: 3)) == motion.to)
        #expect(motion.destination == motion.to)
    }

    @Test(arguments: [60, 999.7, 1_500, 3_000, 7_000, 1e9], [0, 86_400, 31_536_000])
    func `the next frame is later, at any rate and age`(framesPerSecond: Double, age: Double) {
        let motion = Motion(
            from: 0, to: 1, course: .timed(Timing(duration: 1e9, easing: .linear)), startingAt: Instant(nanoseconds: 0))
        var now = Instant(nanoseconds: 0).advanced(bySeconds: age)
        for _ in 0..<2_000 {
            let next = motion.nextFrame(after: now, framesPerSecond: framesPerSecond)
            guard next > now else { return #expect(next > now) }
            now = next
        }
    }

    @Test(arguments: seeds)
    func `a motion retargeted upwards never falls`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var now = Instant(nanoseconds: 0)
        var target = 10.0
        let easing = try Easing(parsing: try #require(Self.monotone.randomElement(using: &random)))
        let course = Motion.Course.timed(Timing(duration: random.double(0.05...2), easing: easing))
        var motion = Motion(from: 0, to: target, course: course, startingAt: now)
        var last = motion.value(at: now)
        for _ in 0..<200 {
            let gap = random.double(0.0005...0.5)
            for step in 1...10 {
                let value = motion.value(at: now.advanced(bySeconds: gap * Double(step) / 10))
                #expect(value >= last)
                #expect(value <= target)
                last = value
            }
            now = now.advanced(bySeconds: gap)
            target += random.double(0...30)
            motion = motion.retargeted(to: target, course: course, at: now, overshoot: .allow)
        }
        #expect(motion.value(at: try #require(motion.end)) == target)
    }

    @Test(arguments: monotone + ["power-in(6)"])
    func `a thousand retargets a second keep an even velocity and follow the target`(text: String) throws {
        let course = Motion.Course.timed(Timing(duration: 0.5, easing: try Easing(parsing: text)))
        var now = Instant(nanoseconds: 0)
        var motion = Motion(from: 0, to: 0.1, course: course, startingAt: now)
        var last = 0.0
        for index in 1...6000 {
            now = now.advanced(bySeconds: 0.001)
            let velocity = motion.velocity(at: now)
            motion = motion.retargeted(to: Double(index) / 10, course: course, at: now, overshoot: .allow)
            // Targets rise by 100 a second; after eight durations the value does too, at most 1.7 durations behind.
            if index > 4000 {
                #expect(abs(velocity - 100) < 3 && abs(velocity - last) < 0.1)
                #expect(motion.to - motion.value(at: now) <= 85)
            }
            last = velocity
        }
        #expect(motion.value(at: try #require(motion.end)) == 600)
    }

    @Test(arguments: seeds)
    func `velocity is the derivative of value`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let start = Instant(nanoseconds: 0)
        let motion = Motion(
            from: random.double(-50...50), to: random.double(-50...50), course: try Self.course(Self.smooth, &random),
            startingAt: start, velocity: random.double(-100...100), rate: random.double(0.5...2))
        for _ in 0..<50 {
            let time = random.double(0.001...0.4)
            let rate = motion.playback.rate
            let step = 1e-6
            let difference = motion.value(atTime: time + step) - motion.value(atTime: time - step)
            let velocity = motion.velocity(at: start.advanced(bySeconds: time / rate))
            let derivative: Double = difference / (2 * step) * rate
            let tolerance: Double = 0.01 * (1 + abs(velocity)) + 0.1
            #expect(abs(derivative - velocity) <= tolerance)
        }
    }

    @Test(arguments: seeds)
    func `a motion turning back overshoots by at most 4 of 27 parts of velocity times duration`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let easing = try Easing(parsing: try #require(Self.monotone.randomElement(using: &random)))
        let (velocity, duration) = (random.double(1...500), random.double(0.05...3))
        let motion = Motion(
            from: 0, to: random.double(-100...0), course: .timed(Timing(duration: duration, easing: easing)),
            startingAt: Instant(nanoseconds: 0), velocity: velocity)
        for step in 0...1000 {
            #expect(motion.value(atTime: duration * Double(step) / 1000) <= velocity * duration * 4 / 27 + 1e-9)
        }
    }

    @Test(arguments: seeds)
    func `a motion's values depend on its fields and the instant alone`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var motion = Motion(
            from: 1, to: 9, course: try Self.course(Self.smooth, &random), startingAt: Instant(nanoseconds: 5),
            velocity: random.double(-9...9), rate: random.double(0.1...3), overshoot: random.pick(Overshoot.allCases))
        motion.pause(at: Instant(nanoseconds: 100_000_000))
        motion.resume(at: Instant(nanoseconds: 300_000_000))
        motion.setRate(1.5, at: Instant(nanoseconds: 350_000_000))
        let copy = Motion(
            from: motion.from, to: motion.to, course: motion.course, handover: motion.handover,
            overshoot: motion.overshoot, playback: motion.playback)
        #expect(copy == motion)
        let instants = (0..<50).map { _ in Instant(nanoseconds: Int64(random.double(0...3e9))) }
        let forwards = instants.map { motion.value(at: $0) }
        let backwards = instants.reversed().map { copy.value(at: $0) }
        #expect(forwards == backwards.reversed())
    }

    @Test(arguments: seeds)
    func `a clamped motion stays between its ends`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let motion = Motion(
            from: 10, to: 20, course: try Self.course(Self.smooth, &random), startingAt: Instant(nanoseconds: 0),
            velocity: random.double(0...400), overshoot: .clamp)
        for step in 0...500 {
            #expect((10...20).contains(motion.value(atTime: Double(step) / 100)))
        }
    }

    /// A random course: four in five eased, the others sprung in any regime.
    static func course(_ easings: [String], _ random: inout SeededRandom) throws -> Motion.Course {
        guard random.double(0...1) < 0.8 else {
            let spring = try Spring(dampingRatio: random.double(0.2...2), response: random.double(0.1...1))
            return .spring(spring, delay: 0, endDelay: 0, threshold: 0.001)
        }
        let easing = try Easing(parsing: try #require(easings.randomElement(using: &random)))
        return .timed(Timing(duration: random.double(0.4...2), easing: easing))
    }
}
