// Springs that are let go again and again, there and back, or backwards.
import TestSupport
import Testing

@testable import Tween

@Suite struct SpringCycleTests {
    private static let start = Instant(nanoseconds: 0)
    private static let springs = [0.2, 0.5, 1, 1.7].map { Spring(angularFrequency: 12, dampingRatio: $0) }
    private static let directions = Direction.allCases

    private static func motion(
        _ spring: Spring, _ cycles: Cycles, delay: Double = 0, endDelay: Double = 0, velocity: Double = 0,
        rate: Double = 1
    ) -> Motion {
        let course = Motion.Course.spring(spring, delay: delay, endDelay: endDelay, cycles: cycles, threshold: 0.01)
        return Motion(from: 0, to: 10, course: course, startingAt: start, velocity: velocity, rate: rate)
    }

    private func after(_ seconds: Double) -> Instant { Self.start.advanced(bySeconds: seconds) }

    @Test(arguments: springs, directions)
    func `a spring's cycle equals its single run, and a reversed cycle plays it backwards`(
        spring: Spring, direction: Direction
    ) {
        let motion = Self.motion(spring, Cycles(iterations: 3, direction: direction))
        let cycle = spring.settlingDuration(from: 0, to: 10, velocity: 0, tolerance: 0.01)
        #expect(motion.cycleDuration == cycle && motion.endTime == 3 * cycle)
        for index in 0..<3 {
            let isForwards = [true, false, index != 1, index == 1][Self.directions.firstIndex(of: direction) ?? 0]
            for share in stride(from: 0.01, to: 1, by: 0.01) {
                let inside = isForwards ? share : 1 - share
                let free = spring.value(from: 0, to: 10, velocity: 0, at: inside * cycle)
                #expect(abs(motion.value(atTime: (Double(index) + share) * cycle) - free) <= 0.010_1)
            }
        }
    }

    @Test(arguments: springs, directions)
    func `a cycled spring turns without a jump and ends exactly`(spring: Spring, direction: Direction) throws {
        let turns = direction == .alternate || direction == .alternateReverse
        for count in [1.0, 2, 3] {
            let motion = Self.motion(spring, Cycles(iterations: count, direction: direction), endDelay: 0.5)
            let isBack = [false, true, count == 2, count != 2][Self.directions.firstIndex(of: direction) ?? 0]
            let end = try #require(motion.settled)
            #expect(motion.destination == (isBack ? 0 : 10))
            #expect(motion.value(at: end) == motion.destination && motion.value(at: after(99)) == motion.destination)
            #expect(motion.end == end.advanced(bySeconds: 0.5))
            // The last step shows no more than the value's own speed.
            let last = motion.value(atTime: motion.activeDuration - 1e-9)
            #expect(abs(last - motion.destination) < (count == 1 && !isBack ? 0.010_1 : 1e-6))
            guard turns, count > 1 else { continue }
            let (before, next) = (motion.cycleDuration - 1e-9, motion.cycleDuration + 1e-9)
            #expect(abs(motion.value(atTime: before) - motion.value(atTime: next)) < 1e-6)
            #expect(motion.value(atTime: motion.cycleDuration) == (direction == .alternate ? 10 : 0))
        }
    }

    @Test(arguments: springs, directions)
    func `velocity is the derivative of value in every cycle`(spring: Spring, direction: Direction) {
        for velocity in [0.0, 90, -90] {
            let motion = Self.motion(spring, Cycles(iterations: 2.5, direction: direction), velocity: velocity)
            for step in 1..<250 {
                let time = motion.endTime * (Double(step) + 0.3) / 250
                let difference = motion.value(atTime: time + 1e-6) - motion.value(atTime: time - 1e-6)
                #expect(abs(difference / 2e-6 - motion.velocity(atTime: time)) < 1e-2)
            }
        }
    }

    @Test(arguments: springs, directions)
    func `a spring's initial velocity affects only the first cycle`(spring: Spring, direction: Direction) {
        let cycles = Cycles(iterations: 4, direction: direction)
        let (released, thrown) = (Self.motion(spring, cycles), Self.motion(spring, cycles, velocity: 70))
        #expect(abs(thrown.velocity(atTime: 1e-12) - 70) < 1e-6)
        #expect(thrown.cycleDuration >= released.cycleDuration)
        for share in stride(from: 1.005, to: 4, by: 0.005) {
            let free = released.springValue(spring, at: 0.5, isFirst: false)
            #expect(abs(released.value(atTime: 1.5 * released.cycleDuration) - free) < 1e-9)
            // What is left at the end of a cycle is less where that takes longer.
            let time = thrown.cycleDuration * share
            let inside = share.truncatingRemainder(dividingBy: 1)
            let isForwards = thrown.timing.position(at: time, in: .active).isForwards
            let own = spring.value(
                from: 0, to: 10, velocity: 0, at: (isForwards ? inside : 1 - inside) * thrown.cycleDuration)
            #expect(abs(thrown.value(atTime: time) - own) <= 0.010_1)
        }
    }

    @Test(arguments: MotionPropertyTests.seeds)
    func `a retarget of a cycled spring keeps value and velocity in any cycle`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var now = Self.start
        var motion = Self.motion(Self.springs[0], Cycles(iterations: 3, direction: .alternate))
        for _ in 0..<40 {
            now = now.advanced(bySeconds: random.double(0.001...3))
            let velocity = motion.velocity(at: now)
            let cycles = Cycles(
                iterations: [1, 2, 3.5, .infinity][Int(random.double(0...3.99))], direction: .alternate)
            let spring = try Spring(dampingRatio: random.double(0.1...2), response: random.double(0.1...1))
            let course = Motion.Course.spring(spring, delay: 0, endDelay: 0, cycles: cycles, threshold: 0.001)
            let next = motion.retargeted(
                to: random.double(-200...200).rounded(), course: course, at: now, overshoot: .allow)
            #expect(next.value(at: now) == motion.value(at: now))
            #expect(abs(next.velocity(at: now) - velocity) <= 1e-9 * (1 + abs(velocity)))
            motion = next
        }
    }

    @Test func `an endless cycled spring has no end, and its fraction counts within the cycle`() {
        var motion = Self.motion(Self.springs[1], Cycles(iterations: .infinity, direction: .alternate))
        let cycle = motion.cycleDuration
        #expect(motion.end == nil && motion.settled == nil && motion.settled(within: 1) == nil)
        #expect(abs(motion.value(atTime: 1_000_001 * cycle) - 10) < 1e-3 && motion.destination == 10)
        #expect(abs(motion.fraction(at: after(7.25 * cycle)) - 0.25) < 1e-6)
        motion.seek(toFraction: 1, at: Self.start)
        #expect(motion.value(at: Self.start) == 10)
    }

    @Test func `a cycled spring with half a cycle ends amid it, with none at the start`() throws {
        let half = Self.motion(Self.springs[2], Cycles(iterations: 1.5), velocity: 20)
        #expect(abs(half.destination - half.springValue(Self.springs[2], at: 0.5, isFirst: false)) < 1e-12)
        #expect(half.value(at: try #require(half.end)) == half.destination)
        let none = Self.motion(Self.springs[2], Cycles(iterations: 0), velocity: 20)
        #expect(none.endTime == 0 && none.value(at: after(0)) == 0 && none.velocity(at: after(0)) == 0)
    }

    @Test func `a cycled spring at rate -1 plays the forward values backwards`() {
        let cycles = Cycles(iterations: 2, direction: .alternate)
        let forwards = Self.motion(Self.springs[0], cycles, delay: 0.25)
        var backwards = Self.motion(Self.springs[0], cycles, delay: 0.25, rate: -1)
        backwards.seek(toSeconds: backwards.endTime, at: Self.start)
        for time in stride(from: 0.01, to: forwards.endTime, by: 0.01) {
            let value = backwards.value(at: after(forwards.endTime - time))
            #expect(abs(value - forwards.value(at: after(time))) < 1e-5)
        }
        #expect(backwards.destination == 0)
    }

    @Test func `undamped and immediate springs can have cycles`() throws {
        let restless = Self.motion(Spring(angularFrequency: 6, dampingRatio: 0), Cycles(iterations: 2))
        let free = Spring(angularFrequency: 6, dampingRatio: 0).value(from: 0, to: 10, velocity: 0, at: 30)
        #expect(restless.value(at: after(30)) == free && restless.end == nil)
        let back = Self.motion(Spring(angularFrequency: 6, dampingRatio: 0), Cycles(direction: .reverse))
        #expect(back.value(at: after(30)) == 10 && back.velocity(at: after(30)) == 0)
        let atOnce = Self.motion(
            try Spring(dampingRatio: 1, response: 0), Cycles(repeats: .infinity, autoreverse: true))
        #expect(atOnce.value(at: after(1)) == atOnce.destination && atOnce.end == Self.start)
    }

    @Test func `all coordinates of a cycled spring turn at one time`() {
        let course = Motion.Course.spring(
            Self.springs[1], delay: 0, endDelay: 0, cycles: Cycles(repeats: 0, autoreverse: true), threshold: 0.01)
        let motion = VectorMotion(
            from: SIMD2(0.0, 0), to: SIMD2(1, 1000), course: course, startingAt: Self.start)
        let turn = motion.value(at: after(motion.endTime / 2))
        #expect(abs(turn.x - 1) < 1e-9 && abs(turn.y - 1000) < 1e-6)
        #expect(motion.value(at: after(motion.endTime)) == SIMD2(0, 0))
    }

    @Test func `a cycled spring with a settling duration takes it in each cycle, at any velocity`() throws {
        for velocity in [0.2, -3, 8] {
            let spring = try Spring(
                dampingRatio: 0.2, settledWithin: 0.3, initialVelocity: velocity, isRepeated: true)
            let motion = Motion(
                from: 0, to: 1,
                course: .spring(
                    spring, delay: 0, endDelay: 0, cycles: Cycles(repeats: 1, autoreverse: true), threshold: 0.001),
                startingAt: Self.start, velocity: velocity)
            #expect(motion.cycleDuration <= 0.3 + 1e-9 && motion.cycleDuration > 0.25)
        }
    }
}
