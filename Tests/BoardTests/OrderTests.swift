// Feeds whose updates overtake each other: targets that only rise or fall, and updates that are numbered.

import Board
import Labels
import Testing
import Tween

@Suite struct OrderTests {
    private static func resting(at value: ExactDecimal) throws -> EngineScript {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(value)
            $0.length = .seconds(0)
        }
        return script
    }

    @Test(
        arguments: [
            (TrackUpdate.Goal.max(60), 60), (.max(40), 50), (.max(50), 50), (.min(40), 40), (.min(60), 50),
            (.min(50), 50),
        ] as [(TrackUpdate.Goal, Int)])
    func `max only raises a target and min only lowers it`(goal: TrackUpdate.Goal, target: Int) throws {
        var script = try Self.resting(at: 50)
        try script.update("t") { $0.goal = goal }
        script.wait(until: 3)
        #expect(script.reading("t")?.value == .exact(ExactDecimal(target)))
    }

    @Test func `a max below the target leaves the running motion unchanged`() throws {
        var script = try Self.resting(at: 0)
        let started = try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 1)
        let beaten = try script.update("t") { $0.goal = .max(70) }
        #expect(beaten.unchanged && beaten.animation == started.animation && beaten.revision == started.revision)
        script.wait(until: 2)
        #expect(script.log.last == "complete t#2 finished")
    }

    @Test func `a max or min without effect runs no actions and supersedes nothing`() throws {
        let told = ActionList(actions: [.notify(name: "arrived", data: nil)], source: [])
        for goal in [TrackUpdate.Goal.max(70), .min(170)] {
            var script = try Self.resting(at: 0)
            let started = try script.update("t") {
                $0.goal = .to(100)
                $0.then = told
            }
            script.wait(until: 1)
            let beaten = try script.update("t") {
                $0.goal = goal
                $0.then = ActionList(actions: [.notify(name: "beaten", data: nil)], source: [])
                $0.otherwise = $0.then
            }
            #expect(beaten.unchanged && beaten.animation == started.animation)
            script.wait(until: 5)
            #expect(script.log.suffix(2) == ["complete t#2 finished", "notification arrived"])
        }
    }

    @Test func `a max without effect changes neither label nor decimals`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.label = "High: 0 m"
            $0.goal = .max(10)
            $0.decimals = 2
            $0.length = .seconds(0)
        }
        script.wait(until: 1)
        let late = try script.update("t") {
            $0.label = "Late: 5 m"
            $0.goal = .max(5)
        }
        #expect(late.unchanged && script.text("t") == "High: 10.00 m")
    }

    @Test func `min creates a ticker that does not exist`() throws {
        var script = EngineScript()
        let made = try script.update("t") { $0.goal = .min(5) }
        #expect(made.created)
        script.wait(until: 3)
        #expect(script.reading("t")?.value == .exact(0))
    }

    @Test func `an update with an older sequence number changes nothing, and the answer says so`() throws {
        var script = EngineScript()
        for (number, value, isTaken) in [(1, 10, true), (3, 30, true), (2, 20, false), (3, 33, false), (4, 40, true)] {
            let acceptance = try script.update("t") {
                $0.goal = .to(ExactDecimal(value))
                $0.sequence = number
            }
            #expect(acceptance.isLate == !isTaken && acceptance.unchanged == !isTaken)
            #expect(acceptance.animation != nil)
        }
        #expect(script.engine.track(ticker("t"))?.target == 40)
        // What has no number has no place in that order.
        try script.update("t") { $0.goal = .to(7) }
        #expect(script.engine.track(ticker("t"))?.target == 7)
        #expect(script.engine.track(ticker("t"))?.sequence == 4)
    }

    @Test func `the sequence number of an update that changes nothing else counts`() throws {
        var script = EngineScript()
        for number in [1, 5, 3] {
            try script.update("t") {
                $0.goal = .to(10)
                $0.sequence = number
            }
        }
        #expect(script.engine.track(ticker("t"))?.sequence == 5)
        #expect(script.log.isEmpty)
    }

    @Test func `a rejected update does not use up its sequence number`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(10) }
        #expect(throws: CommandError.self) {
            try script.update("t") {
                $0.goal = .to(20)
                $0.interruption = .reject
                $0.sequence = 9
            }
        }
        #expect(script.engine.track(ticker("t"))?.sequence == nil)
    }
}
