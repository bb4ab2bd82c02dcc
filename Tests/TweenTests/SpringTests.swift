// Springs beyond the vectors: what is refused, exact settling, and the far ends of the range.
import TestSupport
import Testing

@testable import Tween

@Suite struct SpringTests {
    @Test(arguments: [Double.nan, -1, .infinity, -.infinity, 1e300])
    func `a bad spring parameter is refused by name`(bad: Double) {
        #expect(parameter { try Spring(dampingRatio: bad, response: 1) } == .dampingRatio)
        #expect(parameter { try Spring(dampingRatio: 1, response: bad) } == .response)
        #expect(parameter { try Spring(duration: bad, bounce: 0) } == .duration)
        #expect(parameter { try Spring(dampingRatio: 1, settledWithin: bad) } == .settledWithin)
        #expect(parameter { try Spring(frequency: -1, dampingRatio: 1) } == .frequency)
        #expect(parameter { try Spring(dampingRatio: 1, settlingDuration: bad) } == .settlingDuration)
        #expect(parameter { try Spring(dampingRatio: 1, settlingDuration: 1, threshold: bad) } == .threshold)
        #expect(parameter { try Spring(dampingRatio: bad, settledWithin: 1) } == .dampingRatio)
        if bad < 1e300 || bad == .infinity {
            #expect(parameter { try Spring(duration: 1, bounce: bad) } == .bounce)
            #expect(parameter { try Spring(mass: bad, stiffness: 1, damping: 1) } == .mass)
            #expect(parameter { try Spring(mass: 1, stiffness: bad, damping: 1) } == .stiffness)
            #expect(parameter { try Spring(mass: 1, stiffness: 1, damping: bad) } == .damping)
        }
    }

    @Test(arguments: [("smooth", 0.0), ("snappy", 0.15), ("bouncy", 0.3)])
    func `a preset spring lasts half a second with its own bounce`(name: String, bounce: Double) throws {
        let preset = Spring(try #require(Spring.Preset(rawValue: name)))
        #expect(try preset == Spring(duration: 0.5, bounce: bounce))
    }

    @Test func `an undamped spring is refused where a settling duration is asked for`() {
        #expect(parameter { try Spring(dampingRatio: 0, settlingDuration: 1) } == .dampingRatio)
        #expect(parameter { try Spring(dampingRatio: 0.0001, settlingDuration: 1) } == .dampingRatio)
        #expect(parameter { try Spring(dampingRatio: 0, settledWithin: 1) } == .dampingRatio)
    }

    @Test(arguments: [0.05, 0.2, 0.5, 0.8, 0.95, 0.999, 1, 1.001, 2, 30])
    func `a spring settles exactly at its settling duration`(ratio: Double) throws {
        let spring = try Spring(dampingRatio: ratio, settledWithin: 0.7)
        #expect(abs(spring.value(from: 0, to: 1, velocity: 0, at: 0.7) - 1) <= 0.001 + 1e-9)
        #expect(abs(spring.value(from: 0, to: 1, velocity: 0, at: 0.6999) - 1) > 0.001)
        for step in 0...1000 {
            let time = 0.7 * (1 + Double(step) / 100)
            #expect(abs(spring.value(from: 0, to: 1, velocity: 0, at: time) - 1) <= 0.001 + 1e-9)
        }
    }

    @Test(arguments: [0.2, 0.7, 1, 2], [-30.0, -2, 0.2, 5, 1e6])
    func `a spring with an initial velocity settles within its settling duration`(ratio: Double, velocity: Double)
        throws
    {
        let spring = try Spring(dampingRatio: ratio, settledWithin: 0.5, initialVelocity: velocity)
        let time = spring.settlingDuration(from: 0, to: 1, velocity: velocity, tolerance: 0.001)
        #expect(time <= 0.5 + 1e-9 && time > 0.2)
    }

    @Test(arguments: UInt64(1)...200)
    func `a spring stays within the tolerance from its settling time on, not before`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let spring = try Spring(
            dampingRatio: random.double(0.01...3), response: random.double(0.05...3))
        let (from, to) = (random.double(-100...100), random.double(-100...100))
        let (velocity, tolerance) = (random.double(-2000...2000), random.double(0.001...20))
        let time = spring.settlingDuration(from: from, to: to, velocity: velocity, tolerance: tolerance)
        func distance(_ t: Double) -> Double { abs(spring.value(from: from, to: to, velocity: velocity, at: t) - to) }
        for step in 0...2000 {
            #expect(distance(time + 0.002 * Double(step) * spring.response) <= tolerance * (1 + 1e-9))
        }
        if time > 1e-6 { #expect(distance(time * (1 - 1e-6)) >= tolerance * (1 - 1e-3)) }
    }

    @Test func `underdamped, critical and overdamped springs agree at the limits`() throws {
        for time in [0.01, 0.1, 0.5, 2] {
            let values = try [1 - 1e-7, 1, 1 + 1e-7].map { ratio in
                try Spring(dampingRatio: ratio, response: 0.5).value(from: 0, to: 1, velocity: 3, at: time)
            }
            #expect(abs(values[0] - values[1]) < 1e-6 && abs(values[2] - values[1]) < 1e-6)
        }
    }

    @Test func `extreme springs end and stay finite`() throws {
        let start = Instant(nanoseconds: 0)
        let springs = try [
            Spring(dampingRatio: 1, response: 0), Spring(dampingRatio: 1e-9, response: 1e-6),
            Spring(dampingRatio: 1e6, response: 1e9), Spring(mass: 1e-300, stiffness: 1e300, damping: 0),
            Spring(duration: 0.5, bounce: 1), Spring(duration: 1e9, bounce: 3),
            Spring(dampingRatio: 1, response: 1e-12),
        ]
        for spring in springs {
            for (from, to) in [(0.0, 1.0), (-1.7e308, 1.7e308), (5, 5), (0, .leastNonzeroMagnitude)] {
                let motion = Motion(
                    from: from, to: to, course: .spring(spring, delay: 0, endDelay: 0, threshold: 0), startingAt: start,
                    velocity: 1e300)
                for time in [0, 1e-9, 1, 1e6, 1e300] {
                    #expect(motion.value(atTime: time).isFinite)
                    #expect(motion.velocity(atTime: time).isFinite)
                }
            }
        }
        let undamped = Motion(
            from: 0, to: 1, course: .spring(springs[4], delay: 0, endDelay: 0, threshold: 0.1), startingAt: start)
        #expect(undamped.end == nil && undamped.settled == nil)
        let immediate = Motion(
            from: 0, to: 1, course: .spring(springs[0], delay: 0, endDelay: 0, threshold: 0.1), startingAt: start)
        #expect(immediate.end == start && immediate.value(at: start) == 1)
    }

    private func parameter(_ make: () throws -> Spring) -> SpringError.Parameter? {
        do {
            _ = try make()
            return nil
        } catch {
            return (error as? SpringError)?.parameter
        }
    }
}
