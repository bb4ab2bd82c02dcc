// `clamp: never-decrease` beside fields by which a number goes back.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct NeverDecreaseTests {
    private static let returns: [(field: String, change: @Sendable (inout TrackUpdate) -> Void)] = [
        ("repeat", { $0.repeats = 0.25 }), ("repeat", { $0.repeats = .infinity }),
        ("autoreverse", { $0.autoreverse = true }), ("direction", { $0.direction = .reverse }),
        ("direction", { $0.direction = .alternate }), ("rate", { $0.rate = -1 }),
        ("easing", { $0.curve = .easing(.bounce) }),
    ]

    private static func update(_ goal: TrackUpdate.Goal) -> TrackUpdate {
        var update = TrackUpdate()
        (update.goal, update.clamp) = (goal, .neverDecrease)
        return update
    }

    /// The field that is named when an update is rejected; nil for one that is accepted.
    private static func fault(of update: TrackUpdate, after definition: TrackUpdate? = nil) -> String? {
        var script = EngineScript()
        do {
            if let definition { try script.apply(.define(ticker("t"), definition)) }
            try script.apply(.update(ticker("t"), update))
            return nil
        } catch {
            guard case .invalid(let field, _) = error as? CommandError else { return "another error" }
            return field
        }
    }

    @Test func `never-decrease rejects fields by which the number would go back, in PUT or the update`() {
        for (field, change) in Self.returns {
            var update = Self.update(.to(9))
            change(&update)
            #expect(Self.fault(of: update) == field)
            var definition = TrackUpdate()
            change(&definition)
            #expect(Self.fault(of: Self.update(.to(9)), after: definition) == field)
        }
    }

    @Test func `the never-decrease problem says how to undo a field set with PUT`() throws {
        var script = EngineScript()
        var definition = TrackUpdate()
        definition.autoreverse = true
        try script.apply(.define(ticker("t"), definition))
        let error = #expect(throws: CommandError.self) {
            try script.apply(.update(ticker("t"), Self.update(.to(9))))
        }
        guard case .invalid(_, let reason)? = error else { return #expect(Bool(false), "it has a reason") }
        #expect(reason.contains("set it to its standard"))
        var update = Self.update(.to(9))
        update.autoreverse = false
        try script.apply(.update(ticker("t"), update))
    }

    @Test func `never-decrease accepts a single forward motion and rising keyframes`() {
        var single = Self.update(.to(9))
        (single.repeats, single.autoreverse, single.direction, single.rate) = (0, false, .normal, 2)
        #expect(Self.fault(of: single) == nil)
        var keyframes = Self.update(
            .along([
                TrackUpdate.Waypoint(target: 3, offset: 0.5, easing: nil),
                TrackUpdate.Waypoint(target: 9, offset: 1, easing: nil),
            ]))
        keyframes.autoreverse = true
        #expect(Self.fault(of: keyframes) == nil)
    }
}
