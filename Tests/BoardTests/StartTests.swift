// Motions that begin by another one, and what that comes to when an update is taken.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct StartTests {
    /// Moves a ticker from 0 to 10, by default within 4 seconds.
    @discardableResult
    private func start(
        _ id: String, _ anchor: MotionAnchor? = nil, on script: inout EngineScript,
        _ change: (inout TrackUpdate) -> Void = { _ in }
    ) throws -> Acceptance {
        try script.update(id) {
            ($0.from, $0.goal, $0.length, $0.start) = (0, .to(10), .seconds(4), anchor)
            change(&$0)
        }
    }

    private func delay(_ id: String, _ script: EngineScript) -> Double? {
        script.engine.track(ticker(id))?.run?.request.delay
    }

    @Test(
        arguments: [
            (.with, 0, 0), (.with, 0.5, 0.5), (.with, -1, 0), (.after, 0, 6), (.after, 0.25, 6.25), (.after, -2, 4),
            (.after, -100, 0),
        ] as [(MotionAnchor.Edge, Double, Double)])
    func `start with and after begin a motion at another one's start or end`(
        edge: MotionAnchor.Edge, offset: Double, delay: Double
    ) throws {
        var script = EngineScript()
        try start("a", on: &script) { ($0.endDelay, $0.length) = (1, .seconds(5)) }
        try start("b", MotionAnchor(edge, ticker("a"), offset: offset), on: &script)
        #expect(self.delay("b", script) == delay)
    }

    @Test func `start counts from after the other motion's delay, and adds the motion's own delay`() throws {
        var script = EngineScript()
        try start("a", on: &script) { $0.delay = 3 }
        script.wait(until: 1)
        try start("b", MotionAnchor(.with, ticker("a")), on: &script) { $0.delay = 0.5 }
        #expect(delay("b", script) == 2.5)
        var defaults = TrackUpdate()
        defaults.delay = 10
        try script.apply(.define(ticker("c"), defaults))
        try start("c", MotionAnchor(.after, ticker("a")), on: &script)
        #expect(delay("c", script) == 16)
        // What has set out already lies behind; what is counted from it may lie ahead.
        script.wait(until: 4)
        try start("d", MotionAnchor(.with, ticker("a"), offset: 1.5), on: &script)
        #expect(delay("d", script) == 0.5)
    }

    @Test func `a chain of start: after follows each motion's own rate`() throws {
        var script = EngineScript()
        try start("a", on: &script) { $0.rate = 2 }
        try start("b", MotionAnchor(.after, ticker("a")), on: &script)
        try start("c", MotionAnchor(.after, ticker("b")), on: &script)
        script.wait(until: 10)
        #expect(script.log == ["complete a#1 finished", "complete b#1 finished", "complete c#1 finished"])
        // At rest an end is now.
        try start("d", MotionAnchor(.after, ticker("a"), offset: 1), on: &script)
        #expect(delay("d", script) == 1)
    }

    @Test func `a start by an endless, paused or missing motion is rejected, and nothing changes`() throws {
        var script = EngineScript()
        try start("endless", on: &script) { $0.repeats = .infinity }
        try start("held", on: &script) { $0.delay = 5 }
        try script.apply(.play(ticker("held"), .pause))
        try start("still", on: &script) { $0.rate = 0 }
        try start("own", on: &script)
        let cases: [(MotionAnchor.Edge, String, String)] = [
            (.after, "endless", "start/after"), (.after, "held", "start/after"), (.with, "held", "start/with"),
            (.after, "still", "start/after"), (.with, "none", "start/with"), (.with, "own", "start/with"),
        ]
        for (edge, other, field) in cases {
            let error = #expect(throws: CommandError.self) {
                try start("own", MotionAnchor(edge, ticker(other)), on: &script)
            }
            guard case .invalid(field, _)? = error else {
                Issue.record("\(String(describing: error)) for \(other)")
                continue
            }
        }
        #expect(script.engine.track(ticker("own"))?.revision == 1)
        try start("own", MotionAnchor(.with, ticker("endless")), on: &script)
    }

    @Test func `a queued update with a start is rejected, and its batch position is ignored`() throws {
        var script = EngineScript()
        try start("a", on: &script)
        try start("b", on: &script)
        let error = #expect(throws: CommandError.self) {
            try start("b", MotionAnchor(.after, ticker("a")), on: &script) { $0.interruption = .queue }
        }
        #expect(error == .invalid(field: "start", reason: "an update that waits begins when it is its turn"))
        try start("b", on: &script) { ($0.interruption, $0.lead) = (.queue, 7) }
        script.wait(until: 4)
        #expect(script.engine.track(ticker("b"))?.run?.animation == 2 && delay("b", script) == 0)
    }

    @Test func `a batch position is added to the delay of the update or of PUT`() throws {
        var script = EngineScript()
        var defaults = TrackUpdate()
        defaults.delay = 2
        try script.apply(.define(ticker("a"), defaults))
        try start("a", on: &script) { $0.lead = 0.5 }
        try start("b", MotionAnchor(.with, ticker("a")), on: &script) { ($0.lead, $0.delay) = (1, 0.25) }
        #expect(delay("a", script) == 2.5 && delay("b", script) == 3.75)
    }

    @Test func `a start later than the longest delay is rejected`() throws {
        var script = EngineScript()
        try start("a", on: &script) { $0.delay = TrackUpdate.maximumSeconds }
        #expect(throws: CommandError.self) { try start("b", MotionAnchor(.after, ticker("a")), on: &script) }
        #expect(throws: CommandError.self) { try start("b", on: &script) { $0.lead = TrackUpdate.maximumSeconds + 1 } }
        #expect(script.engine.trackCount == 1)
    }

    @Test func `an action's start is resolved when the action runs`() throws {
        var script = EngineScript()
        try start("a", on: &script) { $0.length = .seconds(10) }
        var next = TrackUpdate()
        (next.goal, next.start) = (.to(5), MotionAnchor(.after, ticker("a")))
        try start("b", on: &script) { $0.then = ActionList(actions: [.update(ticker("c"), next)], source: []) }
        script.wait(until: 5)
        #expect(delay("c", script) == 6)
    }

    @Test func `a number already at its target waits for its delays and skips its duration`() throws {
        var script = EngineScript()
        try script.update("a") { ($0.goal, $0.length) = (.to(5), .seconds(0)) }
        try script.update("a") { ($0.goal, $0.length, $0.delay, $0.endDelay, $0.rate) = (.to(5), .seconds(9), 3, 1, 2) }
        try script.update("b") {
            ($0.goal, $0.length, $0.start) = (.to(5), .seconds(1), MotionAnchor(.after, ticker("a")))
        }
        script.wait(until: 1.9)
        #expect(script.log == ["complete a#1 finished"])
        script.wait(until: 2.5)
        #expect(script.log.last == "complete a#2 finished" && script.text("a") == "5" && script.text("b") == "3")
        try script.update("a") { ($0.goal, $0.delay, $0.animated) = (.to(5), 3, false) }
        #expect(script.log.last == "complete a#3 finished", "at once is at once")
    }
}
