// Playing, pausing, seeking, reversing and finishing against the browser's own, at any rate.

import TestSupport
import Testing
import Tween

@Suite(.enabled(if: Chromium.isInstalled, Comment(rawValue: Chromium.missing)))
struct PlaybackComparisonTests {
    /// What the browser shows after an operation.
    struct Moment: Decodable {
        let isRefused: Bool
        let currentTime: Double
        let playState: String
    }

    @Test(.tags(.random), arguments: Seeds.seeds([2026]))
    func `random playback operations give Chromium's current time and play state`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let sessions = (0..<400).map { _ in RandomSession(&random, steps: 20) }
        let answers = try Chromium.answer(of: "playback.js", to: sessions, as: [[Moment]].self)
        try #require(answers.count == sessions.count)
        var states: [String: Int] = [:]
        for (session, moments) in zip(sessions, answers) {
            let timing = try session.ours()
            var player = Player(timing: timing, rate: session.playbackRate)
            try #require(moments.count == session.steps.count)
            for (step, moment) in zip(session.steps, moments) {
                let isRefused = !player.take(step)
                let ours = player.moment(isRefused: isRefused)
                guard Self.agree(ours, moment) else {
                    Issue.record("\(ours) is \(moment) in the browser after \(step) of \(session)")
                    break
                }
                states[moment.playState, default: 0] += 1
            }
        }
        for state in ["running", "paused", "finished"] { #expect(states[state, default: 0] > 500, "\(state)") }
    }

    private static func agree(_ ours: Moment, _ theirs: Moment) -> Bool {
        ours.isRefused == theirs.isRefused && ours.playState == theirs.playState
            && abs(ours.currentTime - theirs.currentTime) <= 1e-5
    }

    /// A playback and the instant that it is.
    private struct Player {
        let timing: Timing
        var playback: Playback
        var now = Instant(nanoseconds: 0)

        init(timing: Timing, rate: Double) {
            self.timing = timing
            playback = Playback(start: now, rate: rate)
        }

        /// - Returns: Whether it was possible.
        mutating func take(_ step: RandomSession.Step) -> Bool {
            let end = timing.endTime
            do throws(PlaybackError) {
                switch step.operation {
                case .wait: now = now.advanced(bySeconds: step.number)
                case .seek: playback.seek(to: step.number, at: now)
                case .rate: playback.setRate(step.number, at: now, end: end)
                case .pause: playback.pause(at: now, end: end)
                case .play: try playback.play(at: now, end: end)
                case .reverse: try playback.reverse(at: now, end: end)
                case .finish: try playback.finish(at: now, end: end)
                }
                return true
            } catch {
                return false
            }
        }

        func moment(isRefused: Bool) -> Moment {
            Moment(
                isRefused: isRefused, currentTime: playback.currentTime(at: now, end: timing.endTime),
                playState: playback.state(at: now, end: timing.endTime).rawValue)
        }
    }
}
