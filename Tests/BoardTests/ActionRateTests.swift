// Actions count towards the update rate of whoever posted them: what is beyond it is late, in order, and never dropped.

import Base
import Board
import Labels
import RecurrenceRules
import Testing
import Tween

@Suite struct ActionRateTests {
    /// A board on which each owner may run this many actions a second.
    private func script(rate: Int, delayedActions: Int = 100_000) -> EngineScript {
        var script = EngineScript(delayedActions: delayedActions)
        script.engine.setActionRate(rate)
        return script
    }

    /// Notifications of a name, posted by an owner.
    private func list(_ name: String, count: Int = 1, of owner: String? = "a") -> ActionList {
        var list = ActionList(
            actions: [Action](repeating: .notify(name: name, data: nil), count: count), source: Array("[]".utf8))
        list.owner = owner
        return list
    }

    private func every(_ seconds: Double, _ actions: ActionList) -> ScheduleDefinition {
        var definition = ScheduleDefinition(actions: actions, source: [])
        definition.plan.recurrence = .interval(seconds)
        return definition
    }

    private func once(after seconds: Double, _ actions: ActionList) -> ScheduleDefinition {
        var definition = ScheduleDefinition(actions: actions, source: [])
        definition.plan.first = .after(seconds)
        return definition
    }

    private func count(_ name: String, in script: EngineScript) -> Int {
        script.log.count { $0 == "notification \(name)" }
    }

    /// Ticks until an instant.
    private func run(_ script: inout EngineScript, until seconds: Double) {
        while script.time < seconds { script.wait(until: min(seconds, script.time + 1.0 / 60)) }
    }

    /// A schedule that spends two seconds' worth at a rate of 10, and `late` more, at 1 s.
    private func spend(_ script: inout EngineScript, late: Int = 0) throws {
        try script.apply(.schedule(schedule("spend"), once(after: 1, list("spend", count: 20 + late))))
        run(&script, until: 1)
        #expect(count("spend", in: script) == 20 + late)
    }

    @Test func `missed: skip does not drop a firing that the action rate delays`() throws {
        var script = script(rate: 10)
        try spend(&script, late: 20)
        var definition = once(after: 0.5, list("late"))
        definition.plan.missed = .skip
        try script.apply(.schedule(schedule("late"), definition))
        run(&script, until: 2)
        #expect(count("late", in: script) == 0)
        run(&script, until: 10)
        #expect(count("late", in: script) == 1)
    }

    @Test func `a flood of actions is held to its owner's rate, and another owner is on time`() throws {
        var script = script(rate: 100)
        try script.apply(.schedule(schedule("flood"), every(0.01, list("flood", count: 32))))
        try script.apply(.schedule(schedule("clock"), every(1, list("clock", of: "b"))))
        run(&script, until: 1)
        #expect(script.log.last == "notification clock")
        run(&script, until: 10)
        // A burst of two seconds' worth, and a list that may exceed it.
        #expect((1_000...1_232).contains(count("flood", in: script)), "\(count("flood", in: script))")
        #expect(count("clock", in: script) == 10)
        let debt = script.engine.actionDebt(of: "a", at: script.now)
        #expect(debt.actions > 0 && debt.actions <= 64 && debt.seconds <= 0.64)
        #expect(script.engine.actionDebt(of: "b", at: script.now).actions == 0)
        #expect(script.engine.drainLateActions() > 0)
    }

    @Test(arguments: [0, 100_000]) func `actions without a rate limit, or within it, are never late`(rate: Int) throws {
        var script = script(rate: rate)
        try script.apply(.schedule(schedule("flood"), every(0.02, list("flood", count: 32))))
        run(&script, until: 2)
        #expect(script.engine.drainLateActions() == 0)
        #expect(script.engine.actionDebt(of: "a", at: script.now).actions == 0)
        #expect(script.log.count { $0.hasPrefix("fired") } >= 99)
    }

    @Test func `actions without an owner are never late`() throws {
        var script = script(rate: 1)
        try script.apply(.schedule(schedule("s"), every(0.1, list("n", count: 32, of: nil))))
        run(&script, until: 2)
        #expect(count("n", in: script) == 20 * 32)
    }

    @Test func `late firings and late ends of motions run their actions in the order they were due`() throws {
        var script = script(rate: 10)
        try spend(&script, late: 5)
        try script.apply(.schedule(schedule("s"), once(after: 0.1, list("first"))))
        try script.update("t") {
            ($0.goal, $0.length) = (.to(1), .seconds(0.2))
            $0.then = list("second")
        }
        try script.apply(.schedule(schedule("u"), once(after: 0.3, list("third"))))
        run(&script, until: 1.4)
        // The end itself is on time.
        #expect(script.log.contains("complete t#1 finished"))
        #expect(script.log.last?.hasPrefix("notification") == false)
        run(&script, until: 3)
        let told = script.log.filter { ["first", "second", "third"].map { "notification \($0)" }.contains($0) }
        #expect(told == ["notification first", "notification second", "notification third"])
    }

    @Test func `a chain of then actions is held to its owner's action rate`() throws {
        var script = script(rate: 10)
        var again = TrackUpdate()
        (again.goal, again.length) = (.by(1), .seconds(0))
        // Each firing starts a motion of no time, whose end is a list of its own.
        again.then = list("end", of: nil)
        var actions = ActionList(actions: [.update(ticker("t"), again)], source: Array("[]".utf8))
        actions.owner = "a"
        try script.apply(.schedule(schedule("s"), every(0.02, actions)))
        run(&script, until: 10)
        #expect((48...62).contains(count("end", in: script)), "\(count("end", in: script))")
    }

    @Test func `removing a late schedule drops its firing, and replacing one runs only the new actions`() throws {
        var script = script(rate: 10)
        try spend(&script, late: 10)
        try script.apply(.schedule(schedule("gone"), once(after: 0.1, list("gone"))))
        try script.apply(.schedule(schedule("other"), once(after: 0.1, list("before"))))
        run(&script, until: 1.5)
        try script.apply(.remove(schedule("gone")))
        try script.apply(.schedule(schedule("other"), once(after: 0.1, list("after"))))
        run(&script, until: 4)
        #expect(count("gone", in: script) == 0 && count("before", in: script) == 0)
        #expect(count("after", in: script) == 1)
    }

    @Test(arguments: [false, true]) func `a late schedule that is paused fires once it is resumed`(all: Bool) throws {
        var script = script(rate: 10)
        try spend(&script, late: 10)
        try script.apply(.schedule(schedule("s"), once(after: 0.1, list("s"))))
        run(&script, until: 1.5)
        try script.apply(all ? .pauseAllSchedules : .pauseSchedule(schedule("s")))
        run(&script, until: 10)
        #expect(count("s", in: script) == 0)
        try script.apply(all ? .resumeAllSchedules : .resumeSchedule(schedule("s")))
        run(&script, until: 11)
        #expect(count("s", in: script) == 1)
    }

    @Test(arguments: [-3_600.0, 3_600]) func `setting the clock does not move a late firing`(shift: Double) throws {
        var script = script(rate: 10)
        try spend(&script, late: 10)
        try script.apply(.schedule(schedule("s"), once(after: 0.1, list("s"))))
        run(&script, until: 1.5)
        script.set(clockBy: shift)
        script.wait(until: 1.9 + shift)
        #expect(count("s", in: script) == 0)
        script.wait(until: 2.2 + shift)
        #expect(count("s", in: script) == 1)
    }

    @Test func `setting another action rate clears the debt and runs late actions`() throws {
        var script = script(rate: 10)
        try spend(&script, late: 1_000)
        try script.apply(.schedule(schedule("s"), once(after: 0.1, list("s"))))
        try script.update("t") {
            ($0.goal, $0.length) = (.to(1), .seconds(0.2))
            $0.then = list("end")
        }
        run(&script, until: 2)
        #expect(count("s", in: script) == 0 && count("end", in: script) == 0)
        script.engine.setActionRate(0)
        run(&script, until: 2.1)
        #expect(count("s", in: script) == 1 && count("end", in: script) == 1)
    }

    @Test func `late actions run at once when no delayed action may be stored`() throws {
        var script = script(rate: 10, delayedActions: 0)
        try spend(&script, late: 10)
        try script.update("t") {
            ($0.goal, $0.length) = (.to(1), .seconds(0.2))
            $0.then = list("end")
        }
        run(&script, until: 1.3)
        #expect(count("end", in: script) == 1)
    }

    @Test func `a delayed action counts towards the rate of its list's owner`() throws {
        var script = script(rate: 10)
        var later = once(after: 0.1, list("later", of: nil))
        later.actions.owner = nil
        var actions = ActionList(actions: [.later(later)], source: Array("[]".utf8))
        actions.owner = "a"
        try spend(&script, late: 20)
        try script.apply(.schedule(schedule("s"), once(after: 0, actions)))
        run(&script, until: 2.9)
        #expect(count("later", in: script) == 0)
        run(&script, until: 4)
        #expect(count("later", in: script) == 1)
    }
}
