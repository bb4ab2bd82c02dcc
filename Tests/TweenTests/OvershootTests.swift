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
    func `a number on its way up never falls, whatever it is sent after`(seed: UInt64) throws {
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

    @Test func `a spring stays at its target from when it is there first`() throws {
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
        ])
    func `an easing is steady where it doesn't go back on its way`(text: String, isSteady: Bool) throws {
        #expect(try Easing(parsing: text).isSteady == isSteady)
    }
}
