// Where motions turn: whoever knows that has seen all that lies between two moments.

import TestSupport
import Testing

@testable import Tween

@Suite struct TurnTests {
    private static let start = Instant(nanoseconds: 3)
    private static let easings =
        MotionPropertyTests.smooth + [
            "back-in-out", "elastic-in", "bounce-in-out", "steps(5)", "step-start", "step-end", "steps(3, jump-both)",
            "steps(2, jump-none)", "linear(0, 1.5)", "linear(0.5, -0.2 40%, 0.4, 1 100%)",
            "linear(0, 0.9 100%, 5 100%)", "cubic-bezier(0.3, 2, 0.6, -1)",
        ]

    private static func cycles(_ random: inout SeededRandom) -> Cycles {
        Cycles(
            iterations: random.pick([1, 1, 2, 0.4, 2.5, 6.3]),
            direction: random.pick(Direction.allCases + [Direction.normal]),
            repeatDelay: random.pick([0, 0.25]))
    }

    private static func motion(_ random: inout SeededRandom) throws -> Motion {
        let (cycles, delay) = (Self.cycles(&random), random.pick([0, 0.3]))
        let velocity = random.pick([0, random.double(-20...20)])
        let rate = random.pick([1, 1.7, -1])
        guard random.chance(0.7) else {
            let spring = Spring(
                angularFrequency: random.double(6...12), dampingRatio: random.pick([0.3, 0.6, 1, 1.6]))
            return Motion(
                from: 0, to: 10, course: .spring(spring, delay: delay, endDelay: 0, cycles: cycles, threshold: 0.01),
                startingAt: start, velocity: velocity, rate: rate)
        }
        let timing = Timing(
            duration: random.double(0.5...2), delay: delay, cycles: cycles,
            easing: try Easing(parsing: random.pick(easings)))
        var frames: [Keyframes.Frame] = []
        for offset in [0, 0.3, 0.3, 0.3, 0.7, 1] where random.chance(0.5) || offset == 1 {
            let easing = try Easing(parsing: random.pick(easings))
            frames.append(Keyframes.Frame(random.double(-9...9), at: offset, easing: easing))
        }
        return Motion(
            from: 0, to: 10, course: .timed(timing), along: random.chance(0.4) ? Keyframes(frames) : nil,
            handover: velocity, overshoot: .allow, playback: Playback(start: start, rate: rate))
    }

    @Test(arguments: UInt64(1)...60)
    func `the turns of a motion bound all its values and are reached`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var motion = try Self.motion(&random)
        motion.begin(at: Self.start, rate: motion.playback.rate)
        let end = try #require(motion.end).seconds(since: Self.start)
        let span = end * random.pick([1, random.double(0.05...1)])
        let last = Self.start.advanced(bySeconds: span)
        var turns = [motion.value(at: Self.start), motion.value(at: last)]
        motion.forEachTurn(until: last) { turns.append($0) }
        // Halfway between round numbers: at no end of a cycle, where a value is shown for no time.
        let shown = (0..<4_000).map { index in
            motion.value(at: Self.start.advanced(bySeconds: span * (Double(index) + 0.503_7) / 4_000))
        }
        let (low, high) = (try #require(turns.min()), try #require(turns.max()))
        #expect(shown.allSatisfy { $0 >= low - 1e-3 && $0 <= high + 1e-3 }, "\(motion)")
        let (lowest, highest) = (try #require(shown.min()), try #require(shown.max()))
        let step = zip(shown, shown.dropFirst()).reduce(0.1) { max($0, abs($1.1 - $1.0)) }
        let ends = turns[0...1]
        #expect(low == ends.min() || lowest - low < step, "\(motion)")
        #expect(high == ends.max() || high - highest < step, "\(motion)")
    }

    @Test func `an endless spring reports only its two extreme turns`() throws {
        let spring = try Spring(dampingRatio: 0, response: 1)
        let course = Motion.Course.spring(spring, delay: 0, endDelay: 0, threshold: 0)
        let motion = Motion(from: 0, to: 10, course: course, startingAt: Self.start)
        var turns: [Double] = []
        motion.forEachTurn(until: Self.start.advanced(bySeconds: 1e6)) { turns.append($0.rounded()) }
        #expect(turns == [20, 0])
    }

    @Test func `turns are reported in playing order, those of repeated cycles once`() throws {
        let timing = Timing(duration: 1, iterations: .infinity, direction: .alternate, easing: .back)
        let motion = Motion(from: 0, to: 10, course: .timed(timing), startingAt: Self.start)
        var turns: [Double] = []
        motion.forEachTurn(until: Self.start.advanced(bySeconds: 1e6 + 0.5)) { turns.append($0.rounded()) }
        #expect(turns == [0, 11, 10, 10, 11, 0, 0, 11, 10, 0])
    }
}
