// What may go neither past its target nor back.
import TestSupport
import Testing

@testable import Tween

@Suite struct OvershootTests {
    private static let start = Instant(nanoseconds: 7)
    private static let steady = MotionPropertyTests.smooth + ["steps(5)", "power-in(0.5)"]

    private static func course(_ random: inout SeededRandom) throws -> Motion.Course {
        if random.chance(0.5) {
            let spring = try Spring(dampingRatio: random.double(0.02...2), response: random.double(0.05...2))
            return .spring(spring, delay: 0, endDelay: 0, threshold: 0.01)
        }
        var easing = Easing.linear
        repeat { easing = try Easing(parsing: random.pick(steady)) } while !easing.isSteady
        return .timed(Timing(duration: random.double(0.1...3), delay: random.pick([0, 0.2]), easing: easing))
    }

    @Test(arguments: UInt64(1)...60)
    func `a never-decreasing motion never falls, whatever it is retargeted to`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let sign: Double = random.chance(0.5) ? 1 : -1
        var target = 10.0
        var motion = Motion(
            from: 0, to: sign * target, course: try Self.course(&random), startingAt: Self.start,
            velocity: random.double(-200...200), overshoot: .neverDecrease)
        var (time, last) = (0.0, -Double.infinity)
        for _ in 0..<6 {
            let span = random.double(0.05...2.5)
            for step in 0...400 {
                let value = sign * motion.value(at: Self.start.advanced(bySeconds: time + span * Double(step) / 400))
                #expect(value >= last && value <= target)
                last = value
            }
            time += span
            target += random.double(0...20)
            let now = Self.start.advanced(bySeconds: time)
            motion = motion.retargeted(
                to: sign * target, course: try Self.course(&random), at: now, overshoot: .neverDecrease)
        }
        #expect(motion.value(at: Self.start.advanced(bySeconds: time + 1e5)) == sign * target)
    }

    @Test func `a never-decreasing spring stays at its target once it has reached it`() throws {
        let spring = try Spring(dampingRatio: 0.3, response: 1)
        let course = Motion.Course.spring(spring, delay: 0.5, endDelay: 0, threshold: 0.001)
        let free = Motion(from: 0, to: 1, course: course, startingAt: Self.start)
        let held = Motion(from: 0, to: 1, course: course, startingAt: Self.start, overshoot: .neverDecrease)
        // cos θ + z/√(1 - z²) sin θ = 0 at θ = π - acos z, and θ = 2π√(1 - z²) t.
        let arrival = 0.5 + (Double.pi - 1.266_103_672_779_499) / (2 * .pi * 0.953_939_201_416_945_6)
        #expect(abs(held.arrival + 0.5 - arrival) < 1e-9)
        for step in 0...1_000 {
            let now = Self.start.advanced(bySeconds: Double(step) / 200)
            let isThere = now.seconds(since: Self.start) >= arrival
            #expect(held.value(at: now) == (isThere ? 1 : free.value(at: now)))
            if isThere { #expect(held.velocity(at: now) == 0) }
        }
        #expect(held.endTime == free.endTime)
    }

    @Test(
        arguments: [
            ("linear", true), ("back", true), ("back-in", false), ("bounce", false), ("elastic", true),
            ("steps(3)", true),
            ("cubic-bezier(0.34, 1.56, 0.64, 1)", true), ("bounce-in", false), ("elastic-in", false),
            ("cubic-bezier(0.5, 1.2, 0.5, -0.2)", false), ("linear(0, 0.5, 0.4, 1)", false),
            ("linear(0, 0.5 50.01%, 0.1 50.02%, 0.5 50.08%, 1)", false), ("cubic-bezier(1, 1.01, 0, -0.01)", false),
            ("linear(0, 1 50%, 0.5 75%, 1)", true), ("linear(0, 1 36%, 0.5 75%, 1)", true), ("ease", true),
            ("linear(0.5, 0.4, 1)", false), ("linear(0, 0.7 50%, 0.3 50%, 1)", false), ("linear(0, 0.5)", true),
            ("cubic-bezier(0.5, -0.001, 0.5, 1)", false), ("cubic-bezier(0, 3, 1, -1)", true), ("back-in-out", false),
        ])
    func `an easing counts as steady if it doesn't go back before reaching its target`(text: String, isSteady: Bool)
        throws
    {
        #expect(try Easing(parsing: text).isSteady == isSteady)
    }

    @Test(arguments: [0, 10, 50, 150, 300, 5_000])
    func `a never-decreasing motion that bounces stays at its end, at any initial velocity`(velocity: Double) throws {
        let stops = [(0, 0), (1, 0.5), (0.5, 0.75), (1, 1)].map { LinearStops.Stop($0, at: $1) }
        let motion = Motion(
            from: 0, to: 1_000, course: .timed(Timing(duration: 2, easing: .linearStops(try LinearStops(stops)))),
            startingAt: Self.start, velocity: velocity, overshoot: .neverDecrease)
        var last = 0.0
        for step in 0...2_000 {
            let value = motion.value(at: Self.start.advanced(bySeconds: Double(step) / 1_000))
            #expect(value >= last - 1e-7, "\(velocity) at \(step)")
            last = max(last, value)
        }
    }

    @Test(arguments: UInt64(1)...200)
    func `a never-decreasing motion with a random steady easing never falls`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let easing: Easing
        if random.chance(0.5) {
            easing = try .cubicBezier(
                random.pick([0, 1, random.double(0...1)]), random.double(-3...3),
                random.pick([0, 1, random.double(0...1)]),
                random.double(-3...3))
        } else {
            var input = 0.0
            let stops = (0..<6).map { _ in
                input += random.pick([0, 0.0001, random.double(0...0.3)])
                return LinearStops.Stop(random.double(0...1.4), at: input)
            }
            easing = .linearStops(try LinearStops([LinearStops.Stop(0, at: 0)] + stops + [LinearStops.Stop(1, at: 1)]))
        }
        guard easing.isSteady else { return }
        let motion = Motion(
            from: 0, to: 1_000, course: .timed(Timing(duration: 10_000, easing: easing)), startingAt: Self.start,
            velocity: random.pick([0, random.double(0...0.1), random.double(0...2)]), overshoot: .neverDecrease)
        var last = 0.0
        for step in 0...20_000 {
            let value = motion.value(at: Self.start.advanced(bySeconds: Double(step) / 2))
            #expect(value >= last - 1e-7, "\(easing) at \(step)")
            guard value >= last - 1e-7 else { return }
            last = value
        }
    }
}
