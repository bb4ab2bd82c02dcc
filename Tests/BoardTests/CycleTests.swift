// Motions that run backwards, and what lies between their cycles.

import Board
import Labels
import Testing
import Tween

@Suite struct CycleTests {
    private func start(_ script: inout EngineScript, _ change: (inout TrackUpdate) -> Void) throws {
        try script.update("t") {
            $0.label = "Sold: 10"
            $0.goal = .to(20)
            $0.length = .seconds(1)
            change(&$0)
        }
    }

    @Test func `a negative rate plays a motion from its target to its start`() throws {
        var script = EngineScript()
        try start(&script) { $0.rate = -2 }
        #expect(script.text("t") == "Sold: 20")
        script.wait(until: 0.25)
        #expect(script.text("t") == "Sold: 15")
        script.wait(until: 0.5)
        #expect(script.text("t") == "Sold: 10")
        #expect(script.log == ["complete t#1 finished"])
        #expect(script.engine.track(ticker("t"))?.target == 10)
    }

    @Test func `a negative rate plays a spring backwards`() throws {
        var script = EngineScript()
        try start(&script) {
            $0.rate = -1
            $0.curve = .spring(.settling(dampingRatio: 0.5, initialVelocity: 0))
        }
        script.wait(until: 0.01)
        #expect(abs(try #require(script.reading("t")?.value.double) - 20) < 0.05)
        script.wait(until: 1.001)
        #expect(script.text("t") == "Sold: 10")
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test func `a motion reversed on its way finishes at its start`() throws {
        var script = EngineScript()
        try start(&script) { _ in }
        script.wait(until: 0.5)
        try script.apply(.play(ticker("t"), .rate(-0.5)))
        #expect(script.text("t") == "Sold: 15")
        script.wait(until: 1.5)
        #expect(script.text("t") == "Sold: 10")
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test func `a motion repeated forever can't start backwards, but can be reversed on its way`() throws {
        var script = EngineScript()
        #expect(throws: CommandError.self) {
            try start(&script) { ($0.rate, $0.repeats) = (-1, .infinity) }
        }
        // Turned round on its way it ends at its start.
        try start(&script) { $0.repeats = .infinity }
        script.wait(until: 2.5)
        try script.apply(.play(ticker("t"), .rate(-1)))
        script.wait(until: 5)
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test(arguments: [
        // 1 s, 0.5 s of rest, 1 s.
        (1.0, false, 2.5, [(1.25, "Sold: 20"), (1.5, "Sold: 10"), (2.0, "Sold: 15")]),
        (0.0, true, 2.5, [(1.25, "Sold: 20"), (2.0, "Sold: 15"), (2.25, "Sold: 13")]),
        // Half a cycle more has a rest before it, none behind it.
        (0.5, false, 2.0, [(1.49, "Sold: 20"), (1.75, "Sold: 13")]),
    ])
    func `repeatDelay holds the number between cycles, and not after the last`(
        repeats: Double, autoreverse: Bool, seconds: Double, texts: [(Double, String)]
    ) throws {
        var script = EngineScript()
        try start(&script) { ($0.repeats, $0.autoreverse, $0.repeatDelay) = (repeats, autoreverse, 0.5) }
        let end = try #require(script.engine.track(ticker("t"))?.due)
        #expect(abs(end.seconds(since: script.now) - seconds) < 1e-6)
        for (time, text) in texts {
            script.wait(until: time)
            #expect(script.text("t") == text)
        }
        script.wait(until: seconds)
        #expect(script.log == ["complete t#1 finished"])
    }
}
