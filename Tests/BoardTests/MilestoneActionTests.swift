// Actions of milestones, and `then` for every update of a number: when they run, how often, and in which order.

import Board
import Labels
import RecurrenceRules
import Testing
import Tween

@Suite struct MilestoneActionTests {
    private func list(_ actions: Action...) -> ActionList { ActionList(actions: actions, source: []) }

    private func notifying(_ name: String) -> ActionList { list(.notify(name: name, data: nil)) }

    /// A `PUT` with milestones, each of which notifies its own value.
    private func definition(at values: ExactDecimal..., change: (inout TrackUpdate) -> Void = { _ in }) -> TrackUpdate {
        var definition = TrackUpdate()
        definition.milestones = values
        definition.milestoneActions = MilestoneActions(
            entries: values.enumerated().map { index, value in
                MilestoneActions.Entry(value: value, index: index, actions: notifying("\(value)"))
            }, source: [])
        change(&definition)
        return definition
    }

    private func notifications(_ script: EngineScript) -> [String] {
        script.log.compactMap { $0.hasPrefix("notification") ? String($0.dropFirst(13)) : nil }
    }

    @Test func `a milestone of PUT runs its actions when a later update crosses it, and no other does`() throws {
        var script = EngineScript()
        try script.apply(.define(ticker("t"), definition(at: 500)))
        for target in [300, 450] as [ExactDecimal] {
            try script.update("t") { $0.goal = .to(target) }
            script.wait(until: script.time + 3)
        }
        #expect(notifications(script).isEmpty)
        try script.update("t") { $0.goal = .to(600) }
        script.wait(until: script.time + 3)
        #expect(script.log.suffix(3) == ["milestone t 500", "complete t#4 finished", "notification 500"])
        try script.update("t") { $0.goal = .to(700) }
        script.wait(until: script.time + 3)
        #expect(notifications(script) == ["500"])
        try script.update("t") { $0.goal = .to(400) }
        script.wait(until: script.time + 3)
        #expect(notifications(script) == ["500", "500"], "back across it")
    }

    @Test(arguments: [true, false])
    func `a number retargeted on its way crosses each milestone once, through zero as well`(isRising: Bool) throws {
        var script = EngineScript()
        let sign: ExactDecimal = isRising ? 1 : -1
        func value(_ number: Int) -> ExactDecimal { sign == 1 ? ExactDecimal(number) : ExactDecimal(-number) }
        try script.apply(.define(ticker("t"), definition(at: value(-50), value(0), value(50))))
        try script.update("t") { ($0.from, $0.goal, $0.length) = (value(-100), .to(value(100)), .seconds(10)) }
        for second in 1...9 {
            script.wait(until: Double(second))
            let goal = value(100 + second)
            try script.update("t") { ($0.goal, $0.length) = (.to(goal), .seconds(10.0 - Double(second))) }
        }
        script.wait(until: 30)
        #expect(notifications(script) == [-50, 0, 50].map { "\(value($0))" })
    }

    @Test func `an update by the ticker's own then does not run PUT's actions again, a schedule's does`() throws {
        var script = EngineScript()
        var once = TrackUpdate()
        (once.goal, once.length) = (.by(1), .seconds(0))
        let counting = definition(at: 3) {
            $0.then = list(.update(ticker("t"), once), .notify(name: "then", data: nil))
        }
        try script.apply(.define(ticker("t"), counting))
        try script.update("t") { ($0.goal, $0.length) = (.to(2), .seconds(1)) }
        script.wait(until: 60)
        #expect(notifications(script) == ["then"] && script.log.filter { $0 == "milestone t 3" }.count == 1)
        #expect(script.text("t") == "3")
        var plan = ScheduleDefinition(actions: list(.update(ticker("t"), once)), source: [])
        plan.plan.first = .after(1)
        try script.apply(.schedule(schedule("s"), plan))
        script.wait(until: 61)
        script.wait(until: 70)
        #expect(notifications(script) == ["then", "then"])
        #expect(script.text("t") == "5")
    }

    @Test func `a tick runs the actions of the milestones it crosses once, in the order crossed`() throws {
        var script = EngineScript()
        try script.apply(.define(ticker("t"), definition(at: 75, 25, 50)))
        try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 1.2)
        for _ in 0..<2 {
            script.engine.passMilestones(slot: 0, at: script.now)
            script.wait(until: 1.2)
        }
        #expect(script.log == ["milestone t 25", "milestone t 50", "notification 25", "notification 50"])
    }

    @Test func `milestone actions beyond a tick's budget run in the next ticks`() throws {
        var script = EngineScript(firings: 250)
        let count = 1_000
        for number in 0..<count {
            try script.apply(.define(ticker("t\(number)"), definition(at: 50)))
            try script.update("t\(number)") { $0.goal = .to(100) }
        }
        script.wait(until: 1.5)
        for slot in 0..<count { script.engine.passMilestones(slot: slot, at: script.now) }
        #expect(script.engine.delayedActionCount > 0)
        script.wait(until: 1.5)
        #expect(notifications(script).count < count)
        script.wait(until: 1.6)
        #expect(notifications(script).count == count && script.engine.delayedActionCount == 0)
    }

    @Test func `an action may change the number that crosses its milestone`() throws {
        var script = EngineScript()
        var back = TrackUpdate()
        back.goal = .to(0)
        let first = definition(at: 50) {
            $0.milestoneActions = MilestoneActions(
                entries: [.init(value: 50, index: 0, actions: list(.update(ticker("t"), back)))], source: [])
        }
        try script.apply(.define(ticker("t"), first))
        try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 1.2)
        script.engine.passMilestones(slot: 0, at: script.now)
        script.wait(until: 1.21)
        #expect(script.engine.track(ticker("t"))?.run?.request.target == 0)
        #expect(script.log == ["milestone t 50", "complete t#2 superseded"])
    }

    @Test func `deleting a ticker runs the actions of milestones crossed since the last tick`() throws {
        var script = EngineScript()
        try script.apply(.define(ticker("t"), definition(at: 50)))
        try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 1.5)
        try script.apply(.remove(ticker("t")))
        #expect(notifications(script) == ["50"])
    }

    @Test func `a motion that an action supersedes runs the actions of milestones it has passed`() throws {
        var script = EngineScript()
        try script.apply(.define(ticker("t"), definition(at: 50)))
        try script.update("t") { $0.goal = .to(100) }
        var back = TrackUpdate()
        back.goal = .to(90)
        var timed = ScheduleDefinition(actions: list(.update(ticker("t"), back)), source: [])
        timed.plan.first = .after(1.5)
        try script.apply(.schedule(schedule("s"), timed))
        script.wait(until: 1.6)
        #expect(notifications(script) == ["50"])
    }

    @Test func `a milestone listed twice sends two events and runs its actions once`() throws {
        var script = EngineScript()
        let twice = definition(at: 50) { $0.milestones = [50, 50] }
        try script.apply(.define(ticker("t"), twice))
        try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 3)
        #expect(script.log.filter { $0 == "milestone t 50" }.count == 2 && notifications(script) == ["50"])
    }

    @Test func `an update's own milestones and then replace those of PUT`() throws {
        var script = EngineScript()
        try script.apply(.define(ticker("t"), definition(at: 50) { $0.then = notifying("arrived") }))
        try script.update("t") { $0.goal = .to(60) }
        script.wait(until: 3)
        #expect(notifications(script) == ["50", "arrived"])
        try script.update("t") {
            $0.goal = .to(0)
            $0.milestones = []
            $0.then = notifying("own")
        }
        script.wait(until: 6)
        #expect(notifications(script) == ["50", "arrived", "own"])
        try script.apply(.define(ticker("t"), TrackUpdate()))
        try script.update("t") { $0.goal = .to(60) }
        script.wait(until: 9)
        #expect(notifications(script) == ["50", "arrived", "own"])
    }

    @Test func `actions of PUT that can never work are rejected, and nothing changes`() throws {
        var script = EngineScript()
        var wrong = TrackUpdate()
        (wrong.goal, wrong.label, wrong.index) = (.to(1), "5 coins", 1)
        let actions = list(.notify(name: "n", data: nil), .update(ticker("a"), wrong))
        let milestone = definition(at: 5) {
            $0.milestoneActions = MilestoneActions(
                entries: [.init(value: 5, index: 3, actions: actions)], source: [])
        }
        var end = TrackUpdate()
        end.then = actions
        for (definition, field) in [(milestone, "milestones/3/do/1/index"), (end, "then/1/index")] {
            let error = #expect(throws: CommandError.self) {
                try script.apply(.define(ticker("t"), definition))
            }
            guard case .invalid(let named, _) = error else {
                Issue.record("\(field): \(String(describing: error))")
                continue
            }
            #expect(named == field)
        }
        #expect(script.engine.trackCount == 0)
    }

    @Test func `when the board goes back to what is stored, a milestone with actions is crossed again`() throws {
        var script = EngineScript()
        try script.apply(.define(ticker("t"), definition(at: 50) { $0.milestones = [25, 50] }))
        try script.update("t") { $0.goal = .to(100) }
        let stored = try #require(script.engine.track(ticker("t")))
        script.wait(until: 1.2)
        script.engine.passMilestones(slot: 0, at: script.now)
        script.engine.restore(ticker("t"), .track(stored), at: script.now)
        script.wait(until: 3)
        #expect(script.log.filter { $0 == "milestone t 25" }.count == 1)
        #expect(notifications(script) == ["50", "50"], "its effects were undone")
    }
}
