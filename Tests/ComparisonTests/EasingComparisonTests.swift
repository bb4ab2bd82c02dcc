// Easing, timing and motions against the browser's own, at ten thousand random moments.

import TestSupport
import Testing
import Tween

@Suite(.enabled(if: Chromium.isInstalled, Comment(rawValue: Chromium.missing)))
struct EasingComparisonTests {
    /// What the browser shows at a moment; a cycle of -1 is an infinite one.
    struct Moment: Decodable {
        let progress: Double?
        let cycle: Double?
        /// The computed length of an animation from 0 px to 1000000 px.
        let left: Double?
    }

    @Test(.tags(.random), arguments: Seeds.seeds([2026]))
    func `random timings give Chromium's progress, iteration and value at ten thousand times`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let effects = (0..<500).map { _ in RandomEffect(&random, times: 20) }
        let answers = try Chromium.answer(of: "easing.js", to: effects, as: [[Moment]].self)
        try #require(answers.count == effects.count)
        var values = 0
        for (effect, moments) in zip(effects, answers) {
            let timing = try effect.ours()
            try #require(moments.count == effect.times.count)
            // Infinitely many cycles of no length end forwards by the specification; Chromium ends some on the way back.
            if timing.duration == 0, timing.iterations.isInfinite, timing.direction == .alternateReverse { continue }
            for (time, moment) in zip(effect.times, moments) {
                let ours = timing.resolution(at: time, rate: effect.playbackRate)
                let cycle = moment.cycle.map { $0 < 0 ? .infinity : $0 }
                if !Self.isClose(ours.progress, moment.progress) || ours.currentIteration != cycle {
                    Issue.record("\(ours) is \(moment) in the browser, at \(time) of \(effect)")
                }
                let moves = ours.phase == .active && time < timing.delay + timing.activeDuration
                guard moves || Self.endsExactly(timing), cycle != .infinity, let left = moment.left else { continue }
                let value = Self.motion(timing, at: time, rate: effect.playbackRate)
                // Computed lengths have six digits, and end at 2^25 px.
                if abs(value) < 33, abs(value - left / 1e6) > 1e-5 * max(1, abs(value)) {
                    Issue.record("\(value) is \(left) px in the browser, at \(time) of \(effect)")
                }
                values += 1
            }
        }
        #expect(values > 6_000)
    }

    @Test(.tags(.random), arguments: Seeds.seeds([2026]))
    func `random easing texts are accepted or refused as in Chromium`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let texts = (0..<2_000).map { _ in RandomEasing.damagedText(&random) }
        let answers = try Chromium.answer(of: "parsing.js", to: texts, as: [Bool].self)
        try #require(answers.count == texts.count)
        var taken = 0
        for (text, isTaken) in zip(texts, answers)
        where !["easein", "easeout", "easeinout"].contains(text.lowercased()) {
            do throws(EasingError) {
                _ = try Easing(parsing: text)
                taken += 1
                #expect(isTaken, "\(text)")
            } catch {
                #expect(!isTaken || Self.isTakenByBrowsersAlone(text, error), "\(text): \(error)")
            }
        }
        #expect((500...1_500).contains(taken))
    }

    /// Numbers of any size, which here end at a million; and stops of two numbers before a percentage, of which Chromium
    /// drops the second, against the grammar of CSS Easing Level 2.
    private static func isTakenByBrowsersAlone(_ text: String, _ error: EasingError) -> Bool {
        if error.description.hasSuffix("from -1000000 to 1000000") || text.contains(/[eE][-+]?\d{3}/) { return true }
        return text.split(separator: ",").contains { stop in
            stop.matches(of: /[-+]?(\d*\.)?\d+([eE][-+]?\d+)?%?/).count { !$0.output.0.hasSuffix("%") } > 1
        }
    }

    private static func isClose(_ ours: Double?, _ theirs: Double?) -> Bool {
        guard let ours, let theirs else { return ours == nil && theirs == nil }
        return abs(ours - theirs) <= 1e-5
    }

    /// Outside its cycles a motion shows its very ends, whatever the easing ends on and however the effect fills.
    private static func endsExactly(_ timing: Timing) -> Bool {
        if case .steps = timing.easing { return false }
        return timing.fill == .both && timing.easing.value(at: 0) == 0 && timing.easing.value(at: 1) == 1
    }

    /// The value of a paused motion from 0 to 1 at its own time.
    private static func motion(_ timing: Timing, at time: Double, rate: Double) -> Double {
        let start = Instant(nanoseconds: 0)
        var motion = Motion(from: 0, to: 1, course: .timed(timing), startingAt: start, rate: rate)
        motion.pause(at: start)
        motion.seek(toSeconds: time, at: start)
        return motion.value(at: start)
    }
}
