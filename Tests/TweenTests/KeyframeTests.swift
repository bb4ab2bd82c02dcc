// Values on the way: where they are exact, and that nothing jumps.
import TestSupport
import Testing

@testable import Tween

@Suite struct KeyframeTests {
    private static let start = Instant(nanoseconds: 5_000)

    private static func motion(
        _ keyframes: Keyframes, from: Double, timing: Timing = Timing(duration: 2), velocity: Double = 0
    ) -> Motion {
        Motion(from: from, along: keyframes, timing: timing, startingAt: start, velocity: velocity)
    }

    private static func random(_ random: inout SeededRandom) throws -> Keyframes {
        var offset = 0.0
        let count = random.int(1...6)
        let frames = try (1...count).map { index in
            offset = index == count ? 1 : random.double(offset...1)
            let easing = try Easing(parsing: random.pick(MotionPropertyTests.smooth))
            return Keyframes.Frame(random.double(-50...50).rounded(), at: offset, easing: easing)
        }
        return try #require(Keyframes(frames))
    }

    @Test func `values are exact at their offsets, and the first and the last at both ends`() throws {
        let keyframes = try #require(
            Keyframes([
                .init(10, at: 0.25, easing: .easeOut), .init(-4, at: 0.5), .init(0.1, at: 0.75, easing: .back),
                .init(0.3, at: 1, easing: .elastic),
            ]))
        let motion = Self.motion(keyframes, from: 7)
        for (time, value) in [(-1.0, 7.0), (0, 7), (0.5, 10), (0.75, 3), (1, -4), (1.5, 0.1), (2, 0.3), (9, 0.3)] {
            #expect(motion.value(at: Self.start.advanced(bySeconds: time)) == value)
        }
        #expect(motion.to == 0.3 && motion.destination == 0.3)
    }

    @Test func `a motion may end where it set out, and comes back by autoreverse`() throws {
        let keyframes = try #require(Keyframes(evenly: [10, 0]))
        let there = Self.motion(keyframes, from: 0)
        #expect(there.value(at: Self.start.advanced(bySeconds: 1)) == 10)
        #expect(there.settled == Self.start.advanced(bySeconds: 2))
        let timing = Timing(duration: 1, repeats: 0, autoreverse: true)
        let back = Self.motion(try #require(Keyframes(evenly: [10, 4])), from: 1, timing: timing)
        #expect(back.value(at: Self.start.advanced(bySeconds: 1)) == 4)
        #expect(abs(back.value(at: Self.start.advanced(bySeconds: 1.5)) - 10) < 1e-9)
        #expect(back.destination == 1)
    }

    @Test func `with several keyframes at one offset the value jumps to the last`() throws {
        let keyframes = try #require(
            Keyframes([.init(5, at: 0), .init(6, at: 0.5), .init(1, at: 0.5), .init(2, at: 1)]))
        let motion = Self.motion(keyframes, from: 0)
        #expect(motion.value(at: Self.start) == 5)
        #expect(abs(motion.value(at: Self.start.advanced(bySeconds: 0.999_999)) - 6) < 1e-4)
        #expect(motion.value(at: Self.start.advanced(bySeconds: 1)) == 1)
    }

    @Test func `keyframes that are empty, out of order or without an end are refused`() {
        #expect(Keyframes([]) == nil)
        #expect(Keyframes([.init(1, at: 0.5)]) == nil)
        #expect(Keyframes([.init(1, at: 0.6), .init(1, at: 0.5), .init(1, at: 1)]) == nil)
        #expect(Keyframes([.init(1, at: -0.1), .init(1, at: 1)]) == nil)
        #expect(Keyframes([.init(1, at: .nan), .init(1, at: 1)]) == nil)
    }

    @Test(arguments: UInt64(1)...40)
    func `a retarget into or out of keyframes keeps value and velocity`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let first = Self.motion(try Self.random(&random), from: 3, velocity: random.double(-30...30))
        let instant = Self.start.advanced(bySeconds: random.double(0.01...1.9))
        let timing = Timing(duration: random.double(0.5...3))
        for next in [
            first.retargeted(
                to: 0, course: .timed(timing), along: try Self.random(&random), at: instant, overshoot: .allow),
            first.retargeted(
                to: 9, course: .spring(.bouncy, delay: 0, endDelay: 0, threshold: 0.01), at: instant, overshoot: .allow),
        ] {
            #expect(next.value(at: instant) == first.value(at: instant))
            let (before, after) = (first.velocity(at: instant), next.velocity(at: instant))
            // From rest an easing begins as steep as it is.
            guard before != 0 else { continue }
            let jumps = next.keyframes.map { $0.frames[0].offset == 0 } ?? false
            #expect(jumps || abs(before - after) < 1e-6 * (1 + abs(before)))
        }
    }

    @Test(arguments: UInt64(1)...20)
    func `the velocity of keyframes is the derivative of their value`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let motion = Self.motion(try Self.random(&random), from: -2, velocity: 20)
        for _ in 0..<50 {
            let time = random.double(0.01...1.99)
            // A nanosecond is the finest step there is.
            let (a, b) = (Self.start.advanced(bySeconds: time - 1e-5), Self.start.advanced(bySeconds: time + 1e-5))
            let middle = Self.start.advanced(bySeconds: time)
            let difference = (motion.value(at: b) - motion.value(at: a)) / b.seconds(since: a)
            let offsets = (motion.keyframes?.frames ?? []).map { $0.offset * 2 }
            // At a keyframe, and where an easing has a corner, the sides differ.
            guard offsets.allSatisfy({ abs($0 - time) > 1e-4 }),
                abs(motion.velocity(at: a) - motion.velocity(at: b)) < 5
            else { continue }
            #expect(abs(difference - motion.velocity(at: middle)) < 0.05 * (1 + abs(difference)))
        }
    }
}
