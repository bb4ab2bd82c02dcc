// Motions of no time that actions start: complete before the next change of their number, with their actions in order.

import Base
import Board
import RecurrenceRules
import Testing
import Tween

@Suite struct ArrivedMotionTests {
    private func list(_ actions: [Action]) -> ActionList { ActionList(actions: actions, source: Array("[]".utf8)) }

    /// A way of writing a motion of no time.
    enum Form: CaseIterable {
        case duration, animated

        func write(to update: inout TrackUpdate) {
            switch self {
            case .duration: update.length = .seconds(0)
            case .animated: update.animated = false
            }
        }
    }

    /// Adds 1 at once, and notifies which end it had.
    private func addition(
        to id: String = "t", _ mark: String, _ form: Form = .duration, _ interruption: TrackUpdate.Interruption? = nil
    ) -> Action {
        var update = TrackUpdate()
        (update.goal, update.interruption) = (.by(1), interruption)
        form.write(to: &update)
        update.then = list([.notify(name: "then \(mark)", data: nil)])
        update.otherwise = list([.notify(name: "else \(mark)", data: nil)])
        return .update(ticker(id), update)
    }

    /// What sets actions off.
    enum Source: CaseIterable {
        case schedule, schedules, then, otherwise, milestones, request

        /// Executes a list of actions at second 1.
        func execute(_ actions: [Action], on script: inout EngineScript) throws {
            let list = ActionList(actions: actions, source: Array("[]".utf8))
            switch self {
            case .schedule: try fire(list, "s", on: &script)
            case .schedules:
                for (index, action) in actions.enumerated() {
                    try fire(ActionList(actions: [action], source: []), "s\(index)", on: &script)
                }
            case .then: try move(on: &script) { $0.then = list }
            case .otherwise: try move(for: 9, on: &script) { $0.otherwise = list }
            case .milestones:
                try move(on: &script) {
                    $0.milestones = [10]
                    $0.milestoneActions = MilestoneActions(
                        entries: [MilestoneActions.Entry(value: 10, index: 0, actions: list)], source: [])
                }
            case .request: break
            }
            script.wait(until: 1)
            if self == .otherwise { try script.apply(.play(ticker("mover"), .cancel)) }
            guard self == .request else { return }
            for case .command(let command) in actions { try script.apply(command) }
        }

        private func fire(_ list: ActionList, _ id: String, on script: inout EngineScript) throws {
            var definition = ScheduleDefinition(actions: list, source: [])
            definition.plan.first = .after(1)
            try script.apply(.schedule(BoardTests.schedule(id), definition))
        }

        private func move(
            for seconds: Double = 1, on script: inout EngineScript, _ change: (inout TrackUpdate) -> Void
        ) throws {
            try script.update("mover") {
                ($0.from, $0.goal, $0.length) = (0, .to(10), .seconds(seconds))
                change(&$0)
            }
        }
    }

    private func notifications(_ script: EngineScript) -> [String] {
        script.log.filter { $0.hasPrefix("notification") }.map { String($0.dropFirst("notification ".count)) }
    }

    @Test(arguments: Source.allCases, Form.allCases)
    func `three instant additions of one list each finish, and their then actions run in order`(
        source: Source, form: Form
    ) throws {
        for interruption in [nil, .reject, .queue, .replace] as [TrackUpdate.Interruption?] {
            var script = EngineScript()
            try source.execute((1...3).map { addition("\($0)", form, interruption) }, on: &script)
            script.wait(until: 2)
            let ends = script.log.filter { $0.hasPrefix("complete t") }
            #expect(ends.allSatisfy { $0.hasSuffix("finished") } && ends.count == 3, "\(script.log)")
            #expect(notifications(script) == ["then 1", "then 2", "then 3"], "\(script.log)")
            #expect(script.text("t") == "3")
        }
    }

    /// The firing is late, and its additions start now; the end of the motion is in time, and its addition starts in the past.
    @Test func `after an outage a motion due later does not supersede additions that fired late`() throws {
        var script = EngineScript()
        var definition = ScheduleDefinition(actions: list([addition("1"), addition("2")]), source: [])
        definition.plan.first = .after(1)
        try script.apply(.schedule(schedule("s"), definition))
        try script.update("mover") {
            ($0.from, $0.goal, $0.length) = (0, .to(10), .seconds(1.1))
            $0.then = list([addition("3")])
        }
        script.wait(until: 4)
        script.wait(until: 5)
        let ends = script.log.filter { $0.hasPrefix("complete t") }
        #expect(ends.count == 3 && ends.allSatisfy { $0.hasSuffix("finished") }, "\(script.log)")
        #expect(notifications(script).sorted() == ["then 1", "then 2", "then 3"], "\(script.log)")
        #expect(script.text("t") == "3")
    }

    @Test(arguments: Source.allCases)
    func `then actions of instant motions of several tickers run in the order of the list`(source: Source) throws {
        for ids in ["abb", "bab", "aab", "aba", "abab", "ccab"] {
            var script = EngineScript()
            let marks = (1...ids.count).map { "\($0)" }
            try source.execute(zip(ids, marks).map { addition(to: "\($0)", $1) }, on: &script)
            script.wait(until: 2)
            #expect(notifications(script) == marks.map { "then \($0)" }, "\(ids): \(script.log)")
        }
    }

    @Test(arguments: Source.allCases)
    func `else of a superseded motion runs before then of the motion that superseded it`(source: Source) throws {
        var script = EngineScript()
        for id in ["a", "b"] {
            try script.update(id) {
                ($0.from, $0.goal, $0.length) = (0, .to(10), .seconds(60))
                $0.otherwise = list([.notify(name: "cut \(id)", data: nil)])
            }
        }
        try source.execute([addition(to: "a", "1"), addition(to: "b", "2"), addition(to: "a", "3")], on: &script)
        script.wait(until: 2)
        #expect(notifications(script) == ["cut a", "then 1", "cut b", "then 2", "then 3"], "\(script.log)")
    }

    @Test(
        arguments: Source.allCases,
        [
            .command(.play(ticker("t"), .cancel)), .command(.play(ticker("t"), .finish)),
            .command(.play(ticker("t"), .pause)), .command(.remove(ticker("t"))),
        ] as [Action])
    func `an instant motion finishes before the next action cancels, pauses or removes it`(
        source: Source, action: Action
    ) throws {
        var script = EngineScript()
        try source.execute([addition("1"), action], on: &script)
        script.wait(until: 2)
        #expect(script.log.contains("complete t#1 finished"), "\(script.log)")
        #expect(notifications(script) == ["then 1"])
    }

    @Test(arguments: [0.01, 0.02])
    func `an interval shorter than the pace of actions completes each addition`(interval: Double) throws {
        var script = EngineScript()
        var definition = ScheduleDefinition(actions: list([addition("")]), source: [])
        definition.plan.recurrence = .interval(interval)
        definition.plan.count = 100
        try script.apply(.schedule(schedule("s"), definition))
        for tick in 1...180 {
            script.wait(until: Double(tick) / 60)
            // A client adds beside it.
            if tick.isMultiple(of: 10) { try script.update("t") { ($0.goal, $0.length) = (.by(1), .seconds(0)) } }
        }
        #expect(notifications(script).filter { $0 == "then " }.count == 100)
        #expect(script.text("t") == "118" && !script.log.contains { $0.hasSuffix("superseded") })
    }

    @Test func `the actions of two commands of one instant run in the order of the commands`() throws {
        var script = EngineScript()
        for id in ["1", "2"] {
            try script.update("m\(id)") {
                ($0.from, $0.goal, $0.length) = (0, .to(10), .seconds(60))
                $0.then = list([addition(id)])
            }
        }
        script.wait(until: 1)
        for id in ["1", "2"] { try script.apply(.play(ticker("m\(id)"), .finish)) }
        script.wait(until: 2)
        #expect(notifications(script) == ["then 1", "then 2"], "\(script.log)")
    }

    @Test func `an overdue motion that an update ends counts as finished, and not as instant`() throws {
        var script = EngineScript(firings: 1)
        let ids = (0..<40).map { "t\($0)" }
        for id in ids { try script.update(id) { ($0.goal, $0.length) = (.to(1), .seconds(10)) } }
        let late = script.now.advanced(bySeconds: 11)
        let isDone = script.engine.advance(to: late)
        #expect(!isDone)
        _ = script.engine.drainEvents()
        let left = ids.last { script.engine.track(ticker($0))?.run != nil }
        let id = try #require(left)
        var update = TrackUpdate()
        (update.goal, update.length) = (.to(2), .seconds(10))
        _ = try script.engine.apply(.update(ticker(id), update), at: late)
        var endings: [Ending] = []
        for case .complete(_, let ending, _) in script.engine.drainEvents() { endings.append(ending) }
        #expect(endings.map(\.reason) == [.finished] && endings.map(\.isInstant) == [false])
    }

    @Test func `a rejected request does not complete a pending instant motion, an accepted one does`() throws {
        var script = EngineScript()
        try Source.schedule.execute([addition("1")], on: &script)
        #expect(throws: CommandError.self) { try script.apply(.update(ticker("t"), TrackUpdate()), expecting: 9) }
        #expect(!script.log.contains("complete t#1 finished"))
        let acceptance = try script.update("t") {
            ($0.goal, $0.length, $0.interruption) = (.by(1), .seconds(0), .reject)
        }
        #expect(acceptance.animation == 2 && script.log.suffix(1) == ["complete t#2 finished"])
        script.wait(until: 2)
        #expect(notifications(script) == ["then 1"])
    }

    @Test func `a motion without duration but with an end delay is superseded by the next update`() throws {
        var script = EngineScript()
        var update = TrackUpdate()
        (update.goal, update.length, update.endDelay) = (.to(5), .seconds(0), 5)
        try Source.schedule.execute([.update(ticker("t"), update), addition("2")], on: &script)
        #expect(script.log.contains("complete t#1 superseded"), "\(script.log)")
    }
}
