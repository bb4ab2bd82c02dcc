// Motions of numbers and times that no screen needs and that clients send. Nothing here may trap or go on for ever.

import TestSupport
import Testing
import Tween

@Suite struct ExtremeNumberTests {
    private static let doubles: [Double] = [
        0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e-300, 1e-9, 0.1, 1, -1, 60, 31_536_000, 1e9, 0x1p53,
        1e18, -1e19, 1e100, 1e308,
        -1e308,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan,
    ]

    private static func double(_ random: inout SeededRandom) -> Double {
        random.chance(0.5) ? random.pick(doubles) : Double(bitPattern: random.next())
    }

    private static func instant(_ random: inout SeededRandom) -> Instant {
        Instant(
            nanoseconds: random.chance(0.5)
                ? random.pick([.min, -1, 0, 1, 1_790_000_000_000_000_000, .max])
                : Int64(bitPattern: random.next()))
    }

    private static func course(_ random: inout SeededRandom) throws -> Motion.Course {
        if random.chance(0.5) {
            let timing = Timing(
                duration: double(&random), delay: double(&random), endDelay: double(&random),
                iterations: double(&random),
                iterationStart: double(&random), direction: random.pick(Direction.allCases),
                easing: random.pick([.linear, .ease, .easeIn, .easeOut, try .steps(Int(Int32.max))]))
            return .timed(timing)
        }
        let given = try Spring(dampingRatio: random.double(0...3), response: random.double(0.001...100))
        let settling = try? Spring(
            dampingRatio: double(&random), settledWithin: double(&random), initialVelocity: double(&random))
        return .spring(
            settling ?? given, delay: double(&random), endDelay: double(&random), threshold: double(&random))
    }

    @Test func `a motion of extreme numbers has a value at any instant without a trap`() throws {
        var random = SeededRandom(seed: 9)
        for _ in 0..<5_000 {
            var motion = Motion(
                from: Self.double(&random), to: Self.double(&random), course: try Self.course(&random),
                startingAt: Self.instant(&random), velocity: Self.double(&random), rate: Self.double(&random),
                overshoot: random.pick(Overshoot.allCases))
            for _ in 0..<4 {
                let now = Self.instant(&random)
                _ = motion.value(at: now)
                _ = motion.velocity(at: now)
                _ = motion.end
                _ = motion.settled
                _ = motion.settled(within: Self.double(&random))
                switch random.int(0...6) {
                case 0: motion.pause(at: now)
                case 1: motion.resume(at: now)
                case 2: motion.seek(toSeconds: Self.double(&random), at: now)
                case 3: motion.seek(toFraction: Self.double(&random), at: now)
                case 4: motion.setRate(Self.double(&random), at: now)
                case 5: motion.shift(byNanoseconds: Int64(bitPattern: random.next()))
                default:
                    motion = motion.retargeted(
                        to: Self.double(&random), course: try Self.course(&random), at: now,
                        overshoot: random.pick(Overshoot.allCases)
                    )
                }
            }
        }
    }

    @Test func `an instant saturates at the ends of its range`() {
        var random = SeededRandom(seed: 10)
        for _ in 0..<20_000 {
            let start = Self.instant(&random)
            let seconds = Self.double(&random)
            let moved = start.advanced(bySeconds: seconds)
            #expect(seconds > 0 ? moved >= start : seconds < 0 ? moved <= start : moved == start)
            _ = moved.seconds(since: Self.instant(&random))
        }
    }

    @Test func `an automatic duration from extreme instants or stored numbers is never negative`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2_000 {
            var cadence = CadenceEstimator(
                numbers: (0..<5).map { _ in Self.double(&random) }, last: Self.instant(&random))
            for _ in 0..<12 {
                cadence.observe(Self.instant(&random))
                cadence.shift(byNanoseconds: Int64(bitPattern: random.next()))
                if let duration = cadence.duration { #expect(duration >= 0) }
            }
        }
    }
}
