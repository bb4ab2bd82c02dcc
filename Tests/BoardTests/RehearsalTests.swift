// Actions that can never work are refused when they are taken; those that may work are not.

import Board
import Labels
import RecurrenceRules
import Testing
import Tween

@Suite struct RehearsalTests {
    private func update(_ change: (inout TrackUpdate) -> Void) -> TrackUpdate {
        var update = TrackUpdate()
        update.goal = .to(1)
        change(&update)
        return update
    }

    private func list(_ actions: Action...) -> ActionList { ActionList(actions: actions, source: []) }

    private func field(of body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch CommandError.invalid(let field, _) {
            return field
        } catch {
            return "\(error)"
        }
    }

    /// A spring without damping.
    private let restless = TrackUpdate.Curve.spring(.settling(dampingRatio: 0, initialVelocity: 0))
    private let undamped = try? Spring(dampingRatio: 0, response: 1)

    @Test func `a schedule is rejected for an action that can never work, with the field's path`() throws {
        var script = EngineScript()
        let cases: [(String, TrackUpdate)] = [
            ("do/0/index", update { ($0.label, $0.index) = ("5 coins", 1) }),
            ("do/0/label", update { $0.label = "{n, plural, one {#}}" }),
            ("do/0/spring", update { $0.curve = restless }),
            ("do/0/then/0/index", update { $0.then = list(.update(ticker("b"), update { $0.index = 3 })) }),
        ]
        for (field, update) in cases {
            let definition = ScheduleDefinition(actions: list(.update(ticker("a"), update)), source: [])
            #expect(
                self.field {
                    var timed = definition
                    timed.plan.first = .after(1)
                    try script.apply(.schedule(schedule("s"), timed))
                } == field)
        }
        #expect(script.engine.pendingSchedules == 0 && script.engine.trackCount == 0 && script.events.isEmpty)
        #expect(script.engine.drainChanges().isEmpty)
    }

    @Test func `an update is rejected for a then action that can never work, and starts nothing`() throws {
        var script = EngineScript()
        try script.update("a") { $0.goal = .to(10) }
        let before = script.engine.track(ticker("a"))
        #expect(
            field {
                try script.update("a") {
                    $0.goal = .to(20)
                    $0.then = list(.notify(name: "n", data: nil), .update(ticker("b"), update { $0.index = 1 }))
                }
            } == "then/1/index")
        #expect(script.engine.track(ticker("a")) == before && script.engine.trackCount == 1)
    }

    @Test func `an action may make what a later one needs`() throws {
        var script = EngineScript()
        let making = Action.update(ticker("b"), update { ($0.label, $0.index) = ("1 of 9", 0) })
        let using = Action.update(ticker("b"), update { $0.index = 1 })
        func complete(with then: ActionList) throws {
            try script.update("a") {
                $0.goal = .to(9)
                $0.then = then
            }
        }
        try complete(with: list(making, using))
        // A list within comes after all of the list that holds it.
        try complete(with: list(.update(ticker("c"), update { $0.then = list(using) }), making))
        #expect(field { try complete(with: list(using, making)) } == "then/0/index")
        // The update itself is one of those that make.
        try script.update("d") {
            $0.label = "1 of 9"
            $0.then = list(.update(ticker("d"), update { $0.index = 1 }))
        }
    }

    @Test func `an action that only the present state would reject is accepted`() throws {
        var script = EngineScript()
        try script.update("a") {
            $0.goal = .to(9)
            $0.length = .seconds(60)
        }
        let rejecting = update {
            $0.goal = .to(5)
            $0.interruption = .reject
        }
        try script.update("b") { $0.then = list(.update(ticker("a"), rejecting)) }
        for _ in 0..<Track.maximumWaiting {
            try script.update("a") { $0.interruption = .queue }
        }
        let queueing = update { $0.interruption = .queue }
        try script.update("b") { $0.then = list(.update(ticker("a"), queueing)) }
    }

    @Test func `a spring that never comes to rest is rejected in an update, in PUT and in the queue`() throws {
        var script = EngineScript()
        try script.update("a") { $0.length = .seconds(0) }
        #expect(field { try script.update("a") { $0.curve = restless } } == "spring")
        #expect(
            field { try script.apply(.define(ticker("a"), update { ($0.goal, $0.curve) = (nil, restless) })) }
                == "spring")
        try script.update("a") {
            $0.goal = .to(9)
            $0.length = .seconds(9)
        }
        #expect(
            field {
                try script.update("a") {
                    $0.interruption = .queue
                    $0.curve = restless
                }
            } == "spring")
        let spring = try #require(undamped)
        #expect(
            field { try script.update("b") { $0.curve = .spring(.spring(spring, initialVelocity: 0)) } } == "spring")
        // Without an animation there is no spring.
        try script.update("a") { ($0.curve, $0.animated) = (restless, false) }
    }

    @Test func `an action on a resource whose id is one or two dots is rejected`() throws {
        var script = EngineScript()
        for id in [".", ".."] {
            #expect(!ResourceName.isValid(id: id))
            #expect(
                field { try script.update("a") { $0.then = list(.update(ticker(id), update { _ in })) } }
                    == "then/0/ticker")
        }
        #expect(ResourceName.isValid(id: "...") && ResourceName.isValid(id: ".a"))
        #expect(SchedulePlace(".@5")?.description == ".@5")
    }
}
