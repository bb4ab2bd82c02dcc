// What ends of motions and firings set off: each kind of action, those that wait, and chains that have no end.

import Base
import Board
import Labels
import RecurrenceRules
import Testing
import Tween

@Suite struct ActionTests {
    private func list(_ actions: Action...) -> ActionList { ActionList(actions: actions, source: Array("[]".utf8)) }

    private func update(_ change: (inout TrackUpdate) -> Void) -> TrackUpdate {
        var update = TrackUpdate()
        change(&update)
        return update
    }

    private let record = Action.notify(name: "N", data: nil)

    private func later(_ seconds: Double, _ action: Action) -> Action {
        var definition = ScheduleDefinition(actions: list(action), source: [])
        definition.plan.first = .after(seconds)
        return .later(definition)
    }

    /// A ticker that moves for `seconds` and then does something.
    private func start(
        _ id: String, for seconds: Double, then: ActionList? = nil, otherwise: ActionList? = nil,
        on script: inout EngineScript
    ) throws {
        try script.update(id) {
            ($0.from, $0.goal) = (0, .to(10))
            $0.length = .seconds(seconds)
            $0.then = then
            $0.otherwise = otherwise
        }
    }

    // MARK: - Operations

    @Test(
        arguments: [
            (.pause, "paused b"), (.cancel, "complete b#1 cancelled"), (.finish, "complete b#1 finished"),
            (.seekFraction(1), "complete b#1 finished"), (.rate(0), nil),
        ] as [(PlaybackOperation, String?)])
    func `an action can pause, cancel, finish, seek or re-rate another ticker's motion`(
        operation: PlaybackOperation, event: String?
    ) throws {
        var script = EngineScript()
        try start("b", for: 60, on: &script)
        try start("a", for: 1, then: list(.command(.play(ticker("b"), operation))), on: &script)
        script.wait(until: 1)
        #expect(script.log == ["complete a#1 finished"] + (event.map { [$0] } ?? []))
        script.wait(until: 1.5)
        #expect(script.engine.track(ticker("b"))?.isMoving == (operation == .rate(0)))
    }

    @Test func `then actions pause, create and remove schedules, and remove the ticker itself`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), notifying("S") { $0.plan.recurrence = .interval(10) }))
        let made = notifying("M") { $0.plan.first = .after(2) }
        try start(
            "a", for: 1, then: list(.command(.pauseSchedule(schedule("s"))), .command(.schedule(schedule("m"), made))),
            on: &script)
        script.wait(until: 2.9)
        #expect(script.log == ["scheduled s", "complete a#1 finished", "paused s", "scheduled m"])
        script.wait(until: 3)
        #expect(script.log.suffix(3) == ["fired m 1", "notification M", "removed m completed"])
        try start(
            "a", for: 1, then: list(.command(.remove(schedule("s"))), .command(.remove(ticker("a")))), on: &script)
        script.wait(until: 4)
        #expect(script.log.suffix(2) == ["removed s cancelled", "removed a deleted"])
        #expect(script.engine.pendingSchedules == 0 && script.engine.trackCount == 0)
    }

    @Test func `an action that fails is reported, and the rest of its list still runs`() throws {
        var script = EngineScript()
        try start(
            "a", for: 1,
            then: list(
                .command(.play(ticker("none"), .pause)), .command(.play(ticker("a"), .seekFraction(0))),
                .command(.remove(schedule("none"))), record), on: &script)
        script.wait(until: 1)
        #expect(script.log.suffix(4) == ["failed a", "failed a", "failed a", "notification N"])
    }

    @Test func `an action with only a label changes the text and leaves the running motion`() throws {
        var script = EngineScript()
        try script.update("b") {
            $0.label = "old 0"
            $0.goal = .to(60)
            $0.length = .seconds(60)
        }
        let motion = script.engine.track(ticker("b"))?.run
        try start("a", for: 1, then: list(.update(ticker("b"), update { $0.label = "new 0" })), on: &script)
        script.wait(until: 30)
        #expect(script.text("b") == "new 30" && script.engine.track(ticker("b"))?.run == motion)
        #expect(script.log == ["complete a#1 finished"])
        try start("a", for: 1, then: list(.update(ticker("c"), update { $0.label = "made 7" })), on: &script)
        script.wait(until: 31)
        #expect(script.text("c") == "made 7", "a label makes a ticker where there is none")
    }

    // MARK: - Else

    @Test func `then runs after a finished motion, else after a superseded, cancelled or removed one`() throws {
        var script = EngineScript()
        let (then, otherwise) = (list(.notify(name: "then", data: nil)), list(.notify(name: "else", data: nil)))
        func start() throws { try self.start("a", for: 1, then: then, otherwise: otherwise, on: &script) }
        try start()
        script.wait(until: 2)
        #expect(script.log.last == "notification then")
        try script.update("a") {
            ($0.goal, $0.length, $0.then, $0.otherwise) = (.to(0), .seconds(1), then, otherwise)
        }
        try script.update("a") { $0.goal = .to(20) }
        #expect(script.log.suffix(2) == ["complete a#2 superseded", "notification else"])
        try start()
        try script.apply(.play(ticker("a"), .cancel))
        #expect(script.log.suffix(2) == ["complete a#4 cancelled", "notification else"])
        try start()
        try script.apply(.remove(ticker("a")))
        #expect(script.log.suffix(3) == ["complete a#6 removed", "removed a deleted", "notification else"])
    }

    @Test func `removing a ticker runs the else of its motion and of each queued update`() throws {
        var script = EngineScript()
        try start("a", for: 60, otherwise: list(.notify(name: "0", data: nil)), on: &script)
        for number in 1...3 {
            try script.update("a") {
                ($0.goal, $0.interruption) = (.to(5), .queue)
                $0.otherwise = list(.notify(name: "\(number)", data: nil))
            }
        }
        try script.apply(.remove(ticker("a")))
        script.wait(until: 1)
        #expect(script.log.filter { $0.hasPrefix("notification") } == (0...3).map { "notification \($0)" })
        #expect(script.engine.delayedActionCount == 0 && script.engine.bytes == 0)
    }

    // MARK: - Delays

    @Test func `an action with a delay becomes a schedule, and its notification names the ticker`() throws {
        var script = EngineScript()
        try start("a", for: 1, then: list(later(5, record)), on: &script)
        script.wait(until: 5.9)
        #expect(script.log == ["complete a#1 finished", "scheduled delay:1"])
        #expect(script.engine.schedule(schedule("delay:1"))?.origin == ticker("a"))
        #expect(script.engine.delayedActionCount == 1)
        script.wait(until: 6)
        #expect(script.log.suffix(3) == ["fired delay:1 1", "notification N", "removed delay:1 completed"])
        guard case .notification(_, _, by: ticker("a"))? = script.events.dropLast().last else {
            Issue.record("the notification is the ticker's")
            return
        }
        #expect(script.engine.delayedActionCount == 0)
    }

    @Test func `delayed actions stop at their limit and skip schedule ids that are taken`() throws {
        var script = EngineScript(delayedActions: 2)
        try script.apply(.schedule(schedule("delay:1"), notifying("own") { $0.plan.first = .after(60) }))
        try start("a", for: 1, then: list(later(5, record), later(5, record), later(5, record), record), on: &script)
        script.wait(until: 1)
        #expect(
            script.log.suffix(5) == [
                "complete a#1 finished", "scheduled delay:2", "scheduled delay:3", "failed a", "notification N",
            ])
        try script.apply(.removeAllSchedules)
        #expect(script.engine.delayedActionCount == 0 && script.engine.pendingSchedules == 0)
    }

    // MARK: - Chains

    @Test func `a schedule that recreates itself without a delay is held to the pace of actions`() throws {
        var script = EngineScript()
        var again = notifying("inner") { $0.plan.first = .after(0) }
        for _ in 0..<100 {
            again = ScheduleDefinition(actions: list(.command(.schedule(schedule("s"), again)), record), source: [])
            again.plan.first = .after(0)
        }
        try script.apply(.schedule(schedule("s"), again))
        for tick in 1...30 { script.wait(until: Double(tick) / 60) }
        #expect((30...31).contains(script.log.filter { $0 == "notification N" }.count))
        #expect(!script.log.contains("removed s completed"), "it was made anew before it went")
    }

    @Test func `a chain of 2000 cancelled motions runs its else actions over several ticks`() throws {
        let links = 2_000
        var script = EngineScript()
        for number in 0..<links {
            let next = Action.command(.play(ticker("t\(number + 1)"), .cancel))
            try start("t\(number)", for: 9_999, otherwise: list(next), on: &script)
        }
        try start("t\(links)", for: 9_999, otherwise: list(record), on: &script)
        try script.apply(.play(ticker("t0"), .cancel))
        #expect(script.log.filter { $0.hasPrefix("complete") }.count == 2, "the others have their turn")
        for tick in 1...2 * links where script.engine.delayedActionCount > 0 {
            script.wait(until: Double(tick) / 60)
        }
        #expect(script.log.contains("notification N"))
        #expect(script.engine.delayedActionCount == 0)
    }

    // MARK: - Rehearsal

    @Test func `an action that can never work is rejected however deeply it is nested`() throws {
        var script = EngineScript()
        let vain = Action.update(ticker("x"), update { ($0.label, $0.index) = ("5 coins", 1) })
        var holding = ScheduleDefinition(actions: list(vain), source: [])
        holding.plan.first = .after(1)
        var late = notifying("N") { $0.plan.first = .after(10) }
        late.plan.until = script.now.advanced(bySeconds: 5)
        let cases: [(Action, String)] = [
            (later(1, vain), "then/0/index"), (later(1, later(1, vain)), "then/0/index"),
            (.command(.schedule(schedule("s"), holding)), "then/0/schedule/do/0/index"),
            (.command(.schedule(schedule("s"), late)), "then/0/schedule/until"),
            (.update(ticker("y"), update { ($0.goal, $0.otherwise) = (.to(1), list(vain)) }), "then/0/else/0/index"),
        ]
        for (action, field) in cases {
            let error = #expect(throws: CommandError.self) {
                try start("a", for: 1, then: list(action), on: &script)
            }
            guard case .invalid(field, _)? = error else {
                Issue.record("\(String(describing: error)) instead of \(field)")
                continue
            }
        }
        // What is made anew after its removal has no longer what it had.
        try script.update("z") { $0.label = "1 of 9" }
        let second = Action.update(ticker("z"), update { ($0.goal, $0.index) = (.to(5), 1) })
        try start("a", for: 1, then: list(second), on: &script)
        #expect(throws: CommandError.self) {
            try start("a", for: 1, then: list(.command(.remove(ticker("z"))), second), on: &script)
        }
    }
}
