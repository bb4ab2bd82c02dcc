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

    @Test func `an update of only the time to live changes it once, and the motion goes on`() throws {
        var script = try Self.running()
        let first = try script.update("t") { $0.timeToLive = 600 }
        #expect(!first.unchanged && Self.life(script) == 600)
        let second = try script.update("t") { $0.timeToLive = 600 }
        #expect(second.unchanged && second.revision == first.revision)
        script.wait(until: 2)
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test func `a repeated target with another time to live keeps the motion and takes the new one`() throws {
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

    @Test func `queueing the running target behind another target is not a repetition`() throws {
        var script = try Self.running()
        try script.update("t") { ($0.goal, $0.length, $0.interruption) = (.to(3), .seconds(1), .queue) }
        let back = try script.update("t") { ($0.goal, $0.length, $0.interruption) = (.to(10), .seconds(2), .queue) }
        #expect(!back.unchanged)
        script.wait(until: 5)
        #expect(script.text("t") == "10" && script.log.last == "complete t#\(back.animation ?? 0) finished")
    }

    @Test func `a queued update that has become impossible fails, and the next one starts`() throws {
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
        let track = try #require(script.engine.track(ticker("t")))
        #expect(script.text("t") == "9" && track.waiting.isEmpty)
        #expect(track.revision == 6, "each that leaves the queue is a change")
    }

    @Test func `a queued update that a later PUT contradicts fails`() throws {
        var steady = try Self.running()
        try steady.update("t") { ($0.goal, $0.clamp, $0.interruption) = (.to(100), .neverDecrease, .queue) }
        var easing = TrackUpdate()
        easing.curve = .easing(.bounce)
        try steady.apply(.define(ticker("t"), easing))
        steady.wait(until: 4)
        #expect(steady.log.contains("failed t") && steady.text("t") == "10")

        var endless = try Self.running()
        try endless.update("t") { ($0.goal, $0.repeats, $0.interruption) = (.to(3), .infinity, .queue) }
        var backwards = TrackUpdate()
        backwards.rate = -1
        try endless.apply(.define(ticker("t"), backwards))
        endless.wait(until: 4)
        #expect(endless.log.contains("failed t") && endless.text("t") == "10")
    }

    @Test func `a queued lower target resets initial when it starts`() throws {
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

    @Test(arguments: 0..<4) func `a motion that returns, or ends elsewhere, can be queued behind an equal one`(
        index: Int
    ) throws {
        let ways: [(inout TrackUpdate) -> Void] = [
            { $0.autoreverse = true }, { $0.rate = -1 }, { $0.direction = .reverse },
            {
                $0.goal = .along([
                    TrackUpdate.Waypoint(target: 20, offset: 0.5, easing: nil),
                    TrackUpdate.Waypoint(target: 10, offset: 1, easing: nil),
                ])
            },
        ]
        var script = try Self.running(ways[index])
        let again = try script.update("t") {
            ($0.goal, $0.length, $0.interruption) = (.to(10), .seconds(2), .queue)
            ways[index](&$0)
        }
        #expect(!again.unchanged && again.animation == 2)
        script.wait(until: 8)
        #expect(script.log == ["complete t#1 finished", "complete t#2 finished"])
    }

    @Test func `queueing an update equal to the running motion changes nothing`() throws {
        var script = try Self.running()
        let again = try script.update("t") { ($0.goal, $0.length, $0.interruption) = (.to(10), .seconds(2), .queue) }
        #expect(again.unchanged && again.animation == 1)
    }

    // MARK: - Amounts and bounds

    /// The targets of what runs and waits.
    private static func targets(_ script: EngineScript) -> [ExactDecimal] {
        guard let track = script.engine.track(ticker("t")) else { return [] }
        return [track.target] + track.waiting.map(\.target)
    }

    private static func wait(_ script: inout EngineScript, _ goal: TrackUpdate.Goal) throws {
        try script.update("t") { ($0.goal, $0.length, $0.interruption) = (goal, .seconds(1), .queue) }
    }

    @Test func `a queued by follows when the motion before it is retargeted`() throws {
        var script = try Self.running()
        try Self.wait(&script, .by(5))
        try Self.wait(&script, .by(1))
        #expect(Self.targets(script) == [10, 15, 16])
        try script.update("t") { ($0.goal, $0.length) = (.to(100), .seconds(2)) }
        #expect(Self.targets(script) == [100, 105, 106])
        try script.update("t") { ($0.goal, $0.length) = (.by(1), .seconds(2)) }
        #expect(Self.targets(script) == [101, 106, 107])
        script.wait(until: 9)
        #expect(script.text("t") == "107")
    }

    @Test func `max compares with the running motion, and a queued max with the queue's end`() throws {
        var script = try Self.running()
        try Self.wait(&script, .to(50))
        #expect(!(try script.update("t") { $0.goal = .max(20) }.unchanged))
        #expect(Self.targets(script) == [20, 50])
        #expect(try script.update("t") { $0.goal = .max(15) }.unchanged)
        #expect(try script.update("t") { ($0.goal, $0.interruption) = (.max(40), .queue) }.unchanged)
    }

    @Test(arguments: [true, false]) func `a queued max or min never takes a number back`(isMaximum: Bool) throws {
        let notify = ActionList(actions: [.notify(name: "then", data: nil)], source: [])
        let sign = isMaximum ? 1 : -1
        func value(_ number: Int) -> ExactDecimal { ExactDecimal(sign * number) }
        var script = EngineScript()
        try script.update("t") { ($0.goal, $0.length) = (.to(value(10)), .seconds(2)) }
        try script.update("t") {
            ($0.goal, $0.interruption) = (isMaximum ? .max(value(50)) : .min(value(50)), .queue)
            ($0.then, $0.otherwise) = (notify, notify)
        }
        try Self.wait(&script, .by(value(1)))
        #expect(Self.targets(script) == [value(10), value(50), value(51)])
        try script.update("t") { ($0.goal, $0.length) = (.to(value(100)), .seconds(2)) }
        #expect(Self.targets(script) == [value(100), value(100), value(101)])
        script.wait(until: 9)
        #expect(script.text("t") == "\(value(101))" && script.engine.track(ticker("t"))?.revision == 6)
        #expect(
            script.log == [
                "complete t#1 superseded", "complete t#4 finished", "complete t#2 cancelled", "complete t#3 finished",
            ])
    }

    @Test func `a queued by behind a cancelled motion adds to where that stopped`() throws {
        var script = try Self.running()
        try Self.wait(&script, .by(5))
        script.wait(until: 1)
        try script.apply(.play(ticker("t"), .cancel))
        script.wait(until: 9)
        #expect(script.text("t") == "10")
    }

    @Test func `reversing a motion moves the targets of queued by updates`() throws {
        var script = try Self.running()
        try Self.wait(&script, .by(5))
        script.wait(until: 1)
        try script.apply(.play(ticker("t"), .rate(-1)))
        #expect(Self.targets(script) == [0, 5])
    }

    // MARK: - Actions

    @Test(arguments: [TrackUpdate.Interruption.queue, nil])
    func `an action that queues or repeats leaves a nearly finished motion as it is`(
        interruption: TrackUpdate.Interruption?
    ) throws {
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

    /// A ticker whose `PUT` has actions, and what happens when an action of another moves it.
    private static func declining(_ change: (inout TrackUpdate) -> Void) throws -> EngineScript {
        var script = EngineScript()
        var definition = TrackUpdate()
        (definition.then, definition.milestones) = (then, [12])
        definition.milestoneActions = MilestoneActions(
            entries: [.init(value: 12, index: 0, actions: then)], source: [])
        try script.update("t") { ($0.label, $0.goal, $0.length) = ("0 pieces", .to(10), .seconds(2)) }
        try script.apply(.define(ticker("t"), definition))
        var update = TrackUpdate()
        change(&update)
        try script.update("other") {
            ($0.goal, $0.length) = (.to(1), .seconds(1))
            $0.then = ActionList(actions: [.update(ticker("t"), update)], source: [])
        }
        script.wait(until: 1)
        return script
    }

    @Test func `an action's queued update runs no actions of PUT, even those set since`() throws {
        var script = try Self.declining { ($0.goal, $0.length, $0.interruption) = (.to(20), .seconds(1), .queue) }
        #expect(script.engine.track(ticker("t"))?.waiting.count == 1)
        script.wait(until: 4)
        #expect(
            script.log == [
                "complete other#1 finished", "complete t#1 finished", "milestone t 12", "complete t#3 finished",
            ])
    }

    @Test func `an action that repeats the running motion keeps that motion's actions`() throws {
        var script = EngineScript()
        var definition = TrackUpdate()
        (definition.length, definition.milestones) = (.seconds(2), [8])
        definition.milestoneActions = MilestoneActions(
            entries: [.init(value: 8, index: 0, actions: Self.then)], source: [])
        try script.apply(.define(ticker("t"), definition))
        var update = TrackUpdate()
        update.goal = .to(10)
        try script.apply(.update(ticker("t"), update))
        let actions = ActionList(actions: [.update(ticker("t"), update)], source: [])
        try script.update("other") { ($0.goal, $0.length, $0.then) = (.to(1), .seconds(1), actions) }
        script.wait(until: 2)
        #expect(
            script.log == ["complete other#1 finished", "milestone t 8", "complete t#2 finished", "notification then"])
    }

    @Test func `an action that only sets a label leaves the motion and runs no actions of PUT`() throws {
        var script = try Self.declining { $0.label = "0 parts" }
        #expect(script.text("t") == "5 parts")
        script.wait(until: 2)
        #expect(script.log == ["complete other#1 finished", "complete t#1 finished"])
    }
}
