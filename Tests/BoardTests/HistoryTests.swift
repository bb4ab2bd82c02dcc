// What is kept of where a number went.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct HistoryTests {
    /// The targets so far, the present one last, with the seconds at which they were set.
    private func history(of script: EngineScript, _ kind: ResourceKind = .ticker) -> [(at: Double, value: Double)] {
        guard let track = script.engine.track(ResourceName(kind, "a")) else { return [] }
        let past = track.history.past.map { (at: Double($0.milliseconds) / 1_000, value: $0.value) }
        return past + [(at: Double(track.history.since) / 1_000, value: track.target.double)]
    }

    private func post(_ value: Int, at second: Double, to script: inout EngineScript) throws {
        script.wait(until: second)
        try script.update("a") {
            $0.goal = .to(ExactDecimal(Double(value)) ?? 0)
            $0.length = .seconds(0.25)
        }
    }

    @Test func `each target is kept with the time at which it was set`() throws {
        var script = EngineScript()
        try post(5, at: 10, to: &script)
        try post(7, at: 12, to: &script)
        try post(7, at: 15, to: &script)
        try post(-3, at: 20.5, to: &script)
        let known = history(of: script)
        #expect(known.map(\.value) == [0, 5, 7, -3])
        #expect(known.map(\.at) == [10, 10, 12, 20.5])
    }

    @Test func `cancelling a motion records where it stopped as the target`() throws {
        var script = EngineScript()
        try script.update("a") {
            $0.goal = .to(100)
            $0.length = .seconds(10)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 5)
        try script.apply(.play(ResourceName(.ticker, "a"), .cancel))
        #expect(history(of: script).map(\.value) == [0, 100, 50])
    }

    @Test func `a feed that updates often keeps one target a second, and always the present one`() throws {
        var script = EngineScript()
        for index in 0..<100 { try post(index + 1, at: Double(index) / 10, to: &script) }
        let known = history(of: script)
        for (point, next) in zip(known, known.dropFirst().dropLast()) { #expect(next.at - point.at >= 1) }
        #expect((9...11).contains(known.count))
        #expect(known.last?.value == 100)
    }

    @Test(arguments: [1.0, 7, 60, 3_600]) func `old targets are thinned out, and the history never exceeds its limit`(
        gap: Double
    ) throws {
        var script = EngineScript()
        for index in 0..<2_000 {
            try post(index + 1, at: Double(index) * gap, to: &script)
            #expect(history(of: script).count <= TargetHistory.limit + 1)
        }
        let known = history(of: script)
        #expect(known.count == TargetHistory.limit + 1)
        #expect(known.first?.at == 0)
        // A tenth of them tells of the last hundredth of the time.
        #expect(known.count { $0.at >= script.time * 0.99 } >= known.count / 10)
        // And the gaps grow with the age: none is longer than what has passed since.
        for (point, next) in zip(known, known.dropFirst()).dropFirst() {
            #expect(next.at - point.at <= max(2 * gap, script.time - next.at + gap))
        }
    }

    @Test func `setting the clock moves the times of the history along`() throws {
        var script = EngineScript()
        try post(5, at: 100, to: &script)
        script.set(clockBy: -50)
        try post(6, at: 60, to: &script)
        #expect(history(of: script).map(\.at) == [50, 50, 60])
    }
}
