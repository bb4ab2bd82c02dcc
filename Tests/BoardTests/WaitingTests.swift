// Updates that wait, live on or are repeated while something else changes the same track.

import Base
import Board
import Labels
import RecurrenceRules
import Testing
import Tween

@Suite struct WaitingTests {
    private static let then = ActionList(actions: [.notify(name: "then", data: nil)], source: [])

    /// A ticker on its way to 10 in two seconds.
    private static func running(_ change: (inout TrackUpdate) -> Void = { _ in }) throws -> EngineScript {
        var script = EngineScript()
        try script.update("t") {
            ($0.goal, $0.length) = (.to(10), .seconds(2))
            change(&$0)
        }
        return script
    }

    private static func life(_ script: EngineScript) -> Double? { script.engine.track(ticker("t"))?.timeToLive }

    // MARK: - Life

    @Test func `a life alone is kept, and only once`() throws {
        var script = try Self.running()
        let first = try script.update("t") { $0.timeToLive = 600 }
        #expect(!first.unchanged && Self.life(script) == 600)
        let second = try script.update("t") { $0.timeToLive = 600 }
        #expect(second.unchanged && second.revision == first.revision)
        script.wait(until: 2)
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test func `a repeated target with another life goes on, and lives as long`() throws {
        var script = try Self.running()
        script.wait(until: 1)
        let again = try script.update("t") { ($0.goal, $0.length, $0.timeToLive) = (.to(10), .seconds(2), 5) }
        #expect(!again.unchanged && again.animation == 1 && Self.life(script) == 5)
        script.wait(until: 2)
        #expect(script.log == ["complete t#1 finished"])
        script.wait(until: 7.1)
        #expect(script.log.last == "removed t deleted")
    }

    // MARK: - Queue

    @Test func `the running target behind a waiting one is a way back`() throws {
        var script = try Self.running()
        try script.update("t") { ($0.goal, $0.length, $0.interruption) = (.to(3), .seconds(1), .queue) }
        let back = try script.update("t") { ($0.goal, $0.length, $0.interruption) = (.to(10), .seconds(2), .queue) }
        #expect(!back.unchanged)
        script.wait(until: 5)
        #expect(script.text("t") == "10" && script.log.last == "complete t#\(back.animation ?? 0) finished")
    }

    @Test func `a waiting update that has become impossible fails, and the next one starts`() throws {
        var script = EngineScript()
        try script.update("t") { ($0.label, $0.index, $0.goal, $0.length) = ("1 of 2", 0, .to(5), .seconds(1)) }
        let impossible = try script.update("t") {
            ($0.goal, $0.index, $0.interruption) = (.to(7), 1, .queue)
            $0.otherwise = Self.then
        }
        let possible = try script.update("t") { ($0.goal, $0.length, $0.interruption) = (.to(9), .seconds(1), .queue) }
        var label = TrackUpdate()
        label.label = "0"
        try script.apply(.define(ticker("t"), label))
        script.wait(until: 3)
        #expect(
            script.log.filter { !$0.contains("delay:") } == [
                "complete t#1 finished", "failed t", "complete t#\(impossible.animation ?? 0) cancelled",
                "notification then", "complete t#\(possible.animation ?? 0) finished",
            ])
        #expect(script.text("t") == "9" && script.engine.track(ticker("t"))?.waiting.isEmpty == true)
    }

    @Test func `a lower target that has waited begins its task again, too`() throws {
        let name = ResourceName(.progress, "p")
        var script = EngineScript()
        func set(_ change: (inout TrackUpdate) -> Void) throws {
            var update = TrackUpdate()
            change(&update)
            try script.apply(.update(name, update))
        }
        try set { ($0.goal, $0.initial, $0.length) = (.to(50), 40, .seconds(1)) }
        try set { ($0.goal, $0.interruption) = (.to(20), .queue) }
        script.wait(until: 1.5)
        guard case .progress(let rendering)? = script.engine.track(name)?.rendering else {
            Issue.record("no progress")
            return
        }
        #expect(rendering.style.initial == nil)
    }

    // MARK: - Actions

    @Test(arguments: [TrackUpdate.Interruption.queue, nil])
    func `an action leaves a motion that is nearly over as it is`(interruption: TrackUpdate.Interruption?) throws {
        var script = try Self.running()
        var update = TrackUpdate()
        if let interruption {
            (update.goal, update.interruption) = (.to(3), interruption)
        } else {
            // The same once more: only the number counts.
            (update.goal, update.length, update.sequence) = (.to(10), .seconds(2), 1)
        }
        let actions = ActionList(actions: [.update(ticker("t"), update)], source: [])
        var definition = ScheduleDefinition(actions: actions, source: [])
        definition.plan.first = .after(1.99)
        try script.apply(.schedule(schedule("s"), definition))
        script.wait(until: 1.995)
        #expect(script.text("t") == "10")
        script.wait(until: 2)
        #expect(script.log.contains("complete t#1 finished"))
    }
}
