// Animators along keyframes against the browser's.

import TestSupport
import Testing
import Tween

@Suite(.enabled(if: Chromium.isInstalled, Comment(rawValue: Chromium.missing)))
struct KeyframeComparisonTests {
    /// Keyframes as both sides understand them, and the milliseconds at which they are looked at.
    private struct Way: Encodable {
        struct Frame: Encodable {
            let value: Double
            let offset: Double?
            let easing: String
        }

        let start: Double
        let frames: [Frame]
        let duration: Double
        let iterations: Double
        let direction: String
        let times: [Double]

        init(_ random: inout SeededRandom) {
            start = random.double(-1_000...1_000)
            let offsets = (0..<random.int(0...6)).map { _ in random.chance(0.2) ? 0.5 : random.double(0...1) }.sorted()
            frames = (offsets + [1]).map { offset in
                Frame(
                    value: random.double(-1_000...1_000), offset: random.chance(0.6) ? offset : nil,
                    easing: RandomEasing.text(&random))
            }
            duration = random.double(1...4_000)
            let cycles = random.int(1...3)
            let isThereAndBack = random.chance(0.4)
            iterations = Double(isThereAndBack ? 2 * cycles : cycles)
            direction = isThereAndBack ? "alternate" : "normal"
            // Within its cycles: at its end ours is on its target, whatever the easing ends on.
            let end = duration * iterations
            times = (0..<20).map { _ in random.double(0...end) }
        }

        /// The same way as this package has it.
        func ours() throws -> Animator<Double> {
            let isThereAndBack = direction == "alternate"
            return Animator(duration: duration / 1_000).from(start)
                .keyframes(try frames.map { Keyframe($0.value, at: $0.offset, easing: try Easing(parsing: $0.easing)) })
                .repeating((isThereAndBack ? iterations / 2 : iterations) - 1, autoreverse: isThereAndBack)
        }
    }

    @Test(.tags(.random), arguments: Seeds.seeds([2026]))
    func `random keyframes give Chromium's values at ten thousand times`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let ways = (0..<500).map { _ in Way(&random) }
        let answers = try Chromium.answer(of: "keyframes.js", to: ways, as: [[Double]].self)
        try #require(answers.count == ways.count)
        let start = Instant(nanoseconds: 0)
        for (way, lengths) in zip(ways, answers) {
            let animator = try way.ours()
            var motion = animator.motion(startingAt: start)
            motion.pause(at: start)
            for (time, length) in zip(way.times, lengths) {
                motion.seek(toSeconds: time / 1_000, at: start)
                let value = animator.value(of: motion, at: start)
                // Computed lengths have six digits of a way of up to 2000, and end at 2^25 px.
                if abs(value) < 33_000, abs(value - length / 1_000) > 1e-5 * max(2_000, abs(value)) {
                    Issue.record("\(value) is \(length / 1_000) in the browser, at \(time) of \(way)")
                }
            }
        }
    }
}
