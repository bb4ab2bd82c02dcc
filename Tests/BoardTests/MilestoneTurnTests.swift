// Milestones where a number turns or jumps: in its own order, whether a tick falls there or not, and none that it never shows.

import Board
import Labels
import Testing
import Tween

@Suite struct MilestoneTurnTests {
    private typealias Change = @Sendable (inout TrackUpdate) throws -> Void

    /// A motion to 100 in a second, with milestones.
    private func start(
        _ script: inout EngineScript, at milestones: [ExactDecimal], _ change: (inout TrackUpdate) throws -> Void
    ) throws {
        var update = TrackUpdate()
        (update.goal, update.length, update.milestones) = (.to(100), .seconds(1), milestones)
        try change(&update)
        try script.apply(.update(ticker("t"), update))
    }

    /// Looks at milestones as a tick does.
    private func tick(_ script: inout EngineScript, at seconds: Double) {
        script.wait(until: seconds)
        script.engine.passMilestones(slot: 0, at: script.now)
        script.wait(until: seconds)
    }

    /// The milestones told so far.
    private func told(_ script: EngineScript) -> [String] {
        script.log.compactMap { $0.hasPrefix("milestone t ") ? String($0.dropFirst(12)) : nil }
    }

    private func texts(_ milestones: [ExactDecimal]) -> [String] { milestones.map { "\($0)" } }

    private static func along(_ frames: [(ExactDecimal, Double)]) -> TrackUpdate.Goal {
        .along(frames.map { TrackUpdate.Waypoint(target: $0.0, offset: $0.1, easing: nil) })
    }

    private static func curve(_ text: String) throws -> TrackUpdate.Curve { .easing(try Easing(parsing: text)) }

    private static func spring(response: Double = 1) throws -> TrackUpdate.Curve {
        .spring(.spring(try Spring(dampingRatio: 0.3, response: response), initialVelocity: 0))
    }

    // MARK: - Order

    /// Each with the seconds of its ticks, and the milestones in the order in which the number comes to them.
    private static let orders: [(ticks: [Double], order: [ExactDecimal], change: Change)] = [
        ([0.9, 1.4], [50, 80, 95, 100], { $0.autoreverse = true }),
        ([0.9], [70, 100, 50, 0], { ($0.from, $0.goal) = (60, Self.along([(100, 0.3), (-40, 1)])) }),
        (
            [0.7], [10, 20, -10, -20, 50, -50],
            { $0.goal = Self.along([(20, 0.1), (-20, 0.2), (60, 0.3), (-60, 0.6), (0, 1)]) }
        ),
        (
            [0.99], [10, -10, 50, -50, 90],
            { $0.goal = Self.along([(20, 0.2), (-20, 0.4), (60, 0.6), (-60, 0.8), (100, 1)]) }
        ),
        ([0.9], [-5, -9, 50], { $0.curve = try Self.curve("back-in") }),
        ([0.9], [-5, 50], { $0.curve = try Self.curve("cubic-bezier(0.36, 0, 0.66, -0.56)") }),
        ([0.3], [50, 100, 130], { $0.curve = try Self.curve("elastic") }),
        ([2], [50, 90, 120], { $0.curve = try Self.spring() }),
        ([60], [20, 50, 99, 130], { ($0.from, $0.autoreverse, $0.curve) = (10, true, try Self.spring()) }),
        ([60], [104, 90, 130, 50], { ($0.direction, $0.curve) = (.reverse, try Self.spring()) }),
        ([60], [104, 90, 130, 50], { ($0.rate, $0.curve) = (-1, try Self.spring()) }),
    ]

    @Test(arguments: orders.indices)
    func `milestones of one tick are sent in the order in which the number reaches them`(index: Int) throws {
        let (ticks, order, change) = Self.orders[index]
        var script = EngineScript()
        try start(&script, at: order.sorted(), change)
        for seconds in ticks { tick(&script, at: seconds) }
        #expect(told(script) == texts(order))
    }

    // MARK: - Tops

    /// Each with two ticks, and a milestone that the number passes only between them.
    private static let tops: [(ticks: [Double], top: ExactDecimal, change: Change)] = [
        ([0.4, 0.7], 137, { $0.curve = try Self.spring() }),
        ([0.4, 0.7], 137, { ($0.curve, $0.repeats) = (try Self.spring(), 1) }),
        ([0.45, 0.75], 110, { $0.curve = try Self.curve("back") }),
        ([0.45, 0.75], 110, { ($0.curve, $0.repeats) = (try Self.curve("back"), 1) }),
        ([0.05, 0.25], 137, { $0.curve = try Self.curve("elastic") }),
        ([0.3, 0.6], 124, { $0.curve = try Self.curve("cubic-bezier(0.3, 2, 0.6, 1)") }),
        ([0.15, 0.5], 139, { $0.curve = try Self.curve("linear(0, 1.4 20%, 0.9 60%, 1)") }),
        ([0.2, 0.45], 54, { ($0.goal, $0.curve) = (Self.along([(50, 0.5), (40, 1)]), try Self.curve("back")) }),
    ]

    @Test(arguments: tops.indices)
    func `a milestone at the top of an overshoot is told, even if no tick shows it`(index: Int) throws {
        let (ticks, top, change) = Self.tops[index]
        var script = EngineScript()
        try start(&script, at: [top], change)
        for seconds in ticks {
            #expect(told(script).isEmpty)
            tick(&script, at: seconds)
            #expect(try #require(script.engine.track(ticker("t"))).value(at: script.now) < top.double)
        }
        #expect(told(script) == texts([top]))
    }

    @Test func `a milestone at the top of an overshoot is told wherever ticks fall`() throws {
        for phase in 0..<10 {
            var script = EngineScript()
            try start(&script, at: [137]) { $0.curve = try Self.spring(response: 0.1) }
            for number in 1...15 { tick(&script, at: (Double(number) + Double(phase) / 10) / 60) }
            #expect(told(script) == ["137"])
        }
    }

    @Test func `a retargeted number crosses milestones it reaches before it turns back`() throws {
        var script = EngineScript()
        try start(&script, at: []) { _ in }
        script.wait(until: 0.5)
        try start(&script, at: [60, 61]) { $0.goal = .to(0) }
        // 50 - 50 p² + 100 p (1 - p)² is greatest, 60.99, at p = 0.23.
        for seconds in [0.6, 1] { tick(&script, at: seconds) }
        #expect(told(script) == ["60"])
    }

    // MARK: - What isn't shown

    /// Each with its milestones, those told by the last tick, and those told at its end.
    private static let jumps: [Jump] = [
        Jump("step-end", [4, 7, 10], ticks: [0.5, 1.5], told: [], []) { $0.autoreverse = true },
        Jump("step-end", [4], ticks: [0.5, 1.5], told: [], [4]) { $0.repeats = 1 },
        Jump("step-end", [4], ticks: [0.5, 2.5], told: [4], [4]) { ($0.repeats, $0.repeatDelay) = (1, 1) },
        Jump("step-end", [4, 10], ticks: [0.5], told: [], [4, 10]) { _ in },
        Jump("steps(5)", [5, 9, 10], ticks: [1.1], told: [5], [5]) { $0.repeats = 0.25 },
        Jump("steps(1, jump-both)", [4, 7], ticks: [0.5, 1.5], told: [4], [4]) { $0.autoreverse = true },
        Jump("linear", [6, 300], ticks: [0.9], told: [6], [6]) {
            $0.goal = Self.along([(8, 0.5), (500, 0.5), (2, 0.5), (0, 1)])
        },
    ]

    /// A motion to 10.
    private struct Jump {
        let easing: String
        let milestones: [ExactDecimal]
        let ticks: [Double]
        let moving: [ExactDecimal]
        let ended: [ExactDecimal]
        let change: Change

        init(
            _ easing: String, _ milestones: [ExactDecimal], ticks: [Double], told moving: [ExactDecimal],
            _ ended: [ExactDecimal], _ change: @escaping Change
        ) {
            (self.easing, self.milestones, self.ticks) = (easing, milestones, ticks)
            (self.moving, self.ended, self.change) = (moving, ended, change)
        }
    }

    @Test(arguments: jumps.indices)
    func `a jump crosses milestones between shown values, and none that is never shown`(index: Int) throws {
        let jump = Self.jumps[index]
        var script = EngineScript()
        try start(&script, at: jump.milestones) {
            ($0.goal, $0.curve) = (.to(10), try Self.curve(jump.easing))
            try jump.change(&$0)
        }
        for seconds in jump.ticks { tick(&script, at: seconds) }
        #expect(told(script) == texts(jump.moving))
        script.wait(until: 60)
        #expect(told(script) == texts(jump.ended))
    }
}
