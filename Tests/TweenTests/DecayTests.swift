// Motions that run out of velocity.
import TestSupport
import Testing

@testable import Tween

@Suite struct DecayTests {
    private static let start = Instant(nanoseconds: 0)

    @Test func `a decay is the closed form of friction`() throws {
        let motion = Motion(
            from: 10, velocity: 400, decay: Decay(timeConstant: 0.5), startingAt: Self.start)
        #expect(motion.to == 210 && motion.destination == 210)
        for time in stride(from: 0.0, to: motion.endTime, by: 0.01) {
            // From the equation of motion v' = -v / τ, integrated by its own series.
            let share = 1 - exponential(-time / 0.5)
            #expect(abs(motion.value(atTime: time) - (10 + 200 * share)) < 1e-9)
            #expect(abs(motion.velocity(atTime: time) - 400 * (1 - share)) < 1e-9)
        }
        // It is at rest within a thousandth of its way: τ ln 1000.
        #expect(abs(motion.endTime - 0.5 * 6.907_755_278_982_137) < 1e-6)
    }

    @Test(arguments: MotionPropertyTests.seeds)
    func `a decay takes over value and velocity, and ends on a step within its bounds`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (low, high) = (random.double(-300...0), random.double(0...300))
        let decay = Decay(timeConstant: random.double(0.05...3), bounds: low...high)
        let course = try MotionPropertyTests.course(MotionPropertyTests.smooth, &random)
        let before = Motion(from: 0, to: random.double(-500...500), course: course, startingAt: Self.start)
        let now = Self.start.advanced(bySeconds: random.double(0.01...0.3))
        let motion = before.decaying(decay, endingOn: 5, at: now)
        #expect(motion.value(at: now) == before.value(at: now))
        let velocity = before.velocity(at: now)
        if motion.to != motion.from {
            #expect(abs(motion.velocity(at: now) - velocity) <= 1e-9 * (1 + abs(velocity)))
        }
        #expect(decay.bounds.contains(motion.to))
        #expect(motion.to == low || motion.to == high || motion.to.remainder(dividingBy: 5) == 0)
        let end = try #require(motion.end)
        #expect(motion.value(at: end) == motion.to)
        // What sets out within the bounds stays there but for less than the half step that rounding moves the end.
        guard decay.bounds.contains(motion.from) else { return }
        for share in stride(from: 0.0, to: 1, by: 0.01) {
            let value = motion.value(atTime: motion.endTime * share)
            #expect(value >= low - 1e-6 && value <= high + 1e-6)
        }
    }

    @Test func `a decay slows down sooner before a bound, and one at a bound does not move`() throws {
        let decay = Decay(timeConstant: 1, bounds: 0...100)
        let motion = Motion(from: 60, velocity: 80, decay: decay, startingAt: Self.start)
        // 40 units at 80 a second: the time constant is half a second.
        #expect(motion.to == 100 && abs(motion.value(atTime: 0.5) - (100 - 40 * exponential(-1))) < 1e-9)
        let stopped = Motion(from: 100, velocity: 80, decay: decay, startingAt: Self.start)
        #expect(stopped.to == 100 && stopped.end == Self.start)
        let outside = Motion(from: 150, velocity: 80, decay: decay, startingAt: Self.start)
        #expect(outside.to == 100 && outside.velocity(atTime: 1e-9) > 79 && outside.value(atTime: 0.1) > 150)
    }

    @Test(arguments: [0.0, 1e-300, -1e308, 1e308, .infinity, .nan])
    func `a decay with an extreme velocity still ends`(velocity: Double) {
        let motion = Motion(
            from: 3, velocity: velocity, decay: Decay(timeConstant: velocity), endingOn: 1, startingAt: Self.start)
        #expect(motion.endTime.isFinite || !motion.to.isFinite || velocity.magnitude > 1e300)
        #expect(motion.value(atTime: 0).isFinite)
    }
}
