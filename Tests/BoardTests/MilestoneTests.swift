// Milestones: each is crossed once and in order, also by a motion that is finished, repeated, or begins elsewhere than where the
// number is.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct MilestoneTests {
    private func list(_ name: String) -> ActionList {
        ActionList(actions: [.notify(name: name, data: nil)], source: Array(name.utf8))
    }

    /// A motion to 100 in ten seconds, with milestones.
    private func start(
        _ script: inout EngineScript, at milestones: [ExactDecimal]?, _ change: (inout TrackUpdate) -> Void = { _ in }
    ) throws -> Acceptance {
        try script.update("t") {
            ($0.goal, $0.length, $0.milestones) = (.to(100), .seconds(10), milestones)
            change(&$0)
        }
    }

    private func milestones(_ script: EngineScript) -> [String] { script.log.filter { $0.hasPrefix("milestone") } }

    /// Looks at milestones as a tick does.
    private func tick(_ script: inout EngineScript, until seconds: Double) {
        script.wait(until: seconds)
        script.engine.passMilestones(slot: 0, at: script.now)
        script.wait(until: seconds)
    }

    // MARK: - Finish

    @Test(arguments: [ResourceKind.ticker, .progress])
    func `finish crosses all milestones on the motion's way, its end included`(kind: ResourceKind) throws {
        let name = ResourceName(kind, "t")
        var script = EngineScript()
        var update = TrackUpdate()
        (update.goal, update.length, update.milestones) = (.to(100), .seconds(10), [25, 75, 100, 101])
        (update.milestoneActions, update.then) = (
            MilestoneActions(entries: [.init(value: 100, index: 2, actions: list("goal"))], source: []), list("then")
        )
        try script.apply(.update(name, update))
        script.wait(until: 5)
        try script.apply(.play(name, .finish))
        #expect(
            script.log == [
                "milestone t 25", "milestone t 75", "milestone t 100", "complete t#1 finished", "notification goal",
                "notification then",
            ])
    }

    @Test func `finish on a reversed motion crosses the milestones between it and its start`() throws {
        var script = EngineScript()
        _ = try start(&script, at: [25, 75])
        script.wait(until: 5)
        try script.apply(.play(ticker("t"), .rate(-1)))
        try script.apply(.play(ticker("t"), .finish))
        #expect(script.text("t") == "0" && milestones(script) == ["milestone t 25"])
    }

    @Test func `a seek jumps over milestones, but not over one where it lands`() throws {
        var script = EngineScript()
        _ = try start(&script, at: [25, 75, 100])
        try script.apply(.play(ticker("t"), .seekFraction(0.5)))
        #expect(milestones(script).isEmpty)
        try script.apply(.play(ticker("t"), .seekFraction(1)))
        #expect(milestones(script) == ["milestone t 100"])
    }

    // MARK: - Repeated updates

    @Test func `a repeated update with the same milestones changes nothing, whatever was crossed`() throws {
        for start in [0, 40] as [ExactDecimal] {
            var script = EngineScript()
            try script.update("t") { ($0.goal, $0.length) = (.to(start), .seconds(0)) }
            let first = try self.start(&script, at: [0, 50, 75, 40, 100])
            for second in [1.0, 8, 9] {
                let again = try self.start(&script, at: [0, 50, 75, 40, 100])
                #expect(again.unchanged && again.animation == first.animation)
                tick(&script, until: second)
            }
            #expect(try self.start(&script, at: nil).unchanged, "what is left out changes nothing")
        }
    }

    @Test func `a repeated update with other milestones changes those ahead, and the motion goes on`() throws {
        var script = EngineScript()
        _ = try start(&script, at: [25, 75])
        tick(&script, until: 5)
        let again = try start(&script, at: [10, 25, 60, 90]) {
            $0.milestoneActions = MilestoneActions(
                entries: [.init(value: 60, index: 2, actions: list("sixty"))], source: [])
        }
        #expect(!again.unchanged && again.animation == 1 && again.revision == 2)
        script.wait(until: 10)
        #expect(
            script.log == [
                "milestone t 25", "milestone t 60", "milestone t 90", "complete t#1 finished", "notification sixty",
            ])
    }

    @Test func `milestones that no update names any more are forgotten`() throws {
        var script = EngineScript()
        for second in 0...20 {
            script.wait(until: Double(second))
            try script.update("t") {
                ($0.goal, $0.length, $0.curve) = (.to(1_000), .seconds(1_000), .easing(.linear))
                $0.milestones = [ExactDecimal(second + 1)]
            }
        }
        let run = try #require(script.engine.track(ResourceName(.ticker, "t"))?.run)
        #expect(run.animation == 1 && run.milestones == [21] && run.crossed.count <= 1)
    }

    @Test func `new milestones on an autoreversed way back count only if they lie ahead`() throws {
        var script = EngineScript()
        _ = try start(&script, at: nil) { ($0.length, $0.autoreverse) = (.seconds(10), true) }
        script.wait(until: 16)
        _ = try start(&script, at: [20, 70]) { ($0.length, $0.autoreverse) = (.seconds(10), true) }
        tick(&script, until: 17)
        #expect(milestones(script).isEmpty)
        script.wait(until: 20)
        #expect(script.log == ["milestone t 20", "complete t#1 finished"])
    }

    @Test func `milestones set by PUT count for the running motion when its update is repeated`() throws {
        var script = EngineScript()
        _ = try start(&script, at: nil)
        var definition = TrackUpdate()
        definition.milestones = [80]
        try script.apply(.define(ticker("t"), definition))
        let again = try start(&script, at: nil)
        #expect(!again.unchanged && again.animation == 1)
        script.wait(until: 10)
        #expect(script.log == ["milestone t 80", "complete t#1 finished"])
    }

    // MARK: - Backwards

    private static let backwards: [@Sendable (inout TrackUpdate) -> Void] = [
        { $0.direction = .reverse }, { $0.direction = .alternateReverse }, { $0.rate = -1 },
        { ($0.direction, $0.autoreverse) = (.reverse, true) },
        { ($0.curve, $0.direction) = (.spring(.settling(dampingRatio: 1, initialVelocity: 0)), .reverse) },
    ]

    @Test(arguments: backwards.indices)
    func `a reversed motion crosses milestones on its way from the target`(index: Int) throws {
        var script = EngineScript()
        _ = try start(&script, at: [25, 75, 100]) { Self.backwards[index](&$0) }
        tick(&script, until: 0.01)
        #expect(milestones(script).isEmpty)
        tick(&script, until: 9.9)
        #expect(milestones(script).prefix(2) == ["milestone t 75", "milestone t 25"])
    }

    @Test func `a motion reversed on its way crosses no milestone again`() throws {
        for rate in [-1, -3.0] {
            for second in [0, 5.0] {
                var script = EngineScript()
                try script.update("t") { ($0.goal, $0.length) = (.to(10), .seconds(0)) }
                _ = try start(&script, at: [10, 30, 55, 60, 100]) { $0.curve = .easing(.linear) }
                tick(&script, until: second)
                let before = milestones(script)
                try script.apply(.play(ticker("t"), .rate(rate)))
                tick(&script, until: second + 1)
                script.wait(until: 20)
                #expect(milestones(script) == before && script.text("t") == "10", "\(script.log)")
            }
        }
    }

    @Test func `milestones go out once each, in the order they are crossed`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(100)
            $0.milestones = [75, 25, 200]
        }
        script.wait(until: 1)
        #expect(script.engine.sampled.count == 1)
        script.engine.passMilestones(slot: 0, at: script.now)
        script.wait(until: 1)
        #expect(script.log == ["milestone t 25"])
        script.wait(until: 2)
        #expect(script.log == ["milestone t 25", "milestone t 75", "complete t#1 finished"])
    }

    @Test func `a tick that reaches no milestone leaves a run as it is, and the next loses none`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(100)
            $0.length = .seconds(10)
            ($0.repeats, $0.autoreverse) = (2, true)
            $0.milestones = [99, 5, 60, 61, 97]
        }
        var ahead: Set<Double> = [99, 5, 60, 61, 97]
        var last = 0.0
        for tick in 0..<300 {
            script.wait(until: Double(tick) * 0.1)
            let run = try #require(script.engine.track(ticker("t"))?.run)
            let value = try #require(script.engine.track(ticker("t"))?.value(at: script.now))
            let reached = ahead.filter { min(last, value) <= $0 && $0 <= max(last, value) }
            #expect(script.engine.slotsReachingMilestones(at: script.now) == (reached.isEmpty ? [] : [0]))
            script.engine.passMilestones(slot: 0, at: script.now)
            let told = script.engine.drainEvents().compactMap { event -> Double? in
                if case .milestone(_, _, let milestone) = event { milestone.double } else { nil }
            }
            #expect(Set(told) == reached && told.count == reached.count)
            if reached.isEmpty { #expect(script.engine.track(ticker("t"))?.run === run) }
            ahead.subtract(reached)
            last = value
        }
        #expect(ahead.isEmpty)
    }

    @Test func `a milestone at a turning point between two ticks is crossed`() throws {
        let turned: [(inout TrackUpdate) -> Void] = [
            { ($0.goal, $0.autoreverse) = (.to(100), true) }, { ($0.goal, $0.repeats) = (.to(100), 3) },
            { ($0.goal, $0.repeats, $0.autoreverse) = (.to(100), .infinity, true) },
            {
                $0.goal = .along([
                    TrackUpdate.Waypoint(target: 100, offset: 0.5, easing: nil),
                    TrackUpdate.Waypoint(target: 20, offset: 1, easing: nil),
                ])
            },
        ]
        for change in turned {
            var script = EngineScript()
            try script.update("t") {
                ($0.length, $0.milestones) = (.seconds(1.02), [50, 100])
                change(&$0)
            }
            for tick in 0...9 {
                script.wait(until: 0.25 * Double(tick))
                script.engine.passMilestones(slot: 0, at: script.now)
            }
            script.wait(until: script.time)
            let told = script.log.filter { $0.hasPrefix("milestone") }
            #expect(Set(told) == ["milestone t 50", "milestone t 100"] && told.count == 2, "\(script.log)")
        }
    }

    @Test func `a milestone at a first keyframe is crossed after the delay, not during it`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .along([
                TrackUpdate.Waypoint(target: 100, offset: 0, easing: nil),
                TrackUpdate.Waypoint(target: 50, offset: 1, easing: nil),
            ])
            ($0.length, $0.delay, $0.milestones) = (.seconds(1), 2, [100])
        }
        script.wait(until: 1)
        #expect(script.engine.slotsReachingMilestones(at: script.now).isEmpty)
        script.wait(until: 2.1)
        #expect(script.engine.slotsReachingMilestones(at: script.now) == [0])
    }

    @Test(arguments: [ResourceKind.ticker, .progress])
    func `a milestone at the end is crossed on arrival, even if the motion ends later or is cut off`(
        kind: ResourceKind
    ) throws {
        for isCutOff in [true, false] {
            var script = EngineScript()
            var update = TrackUpdate()
            (update.goal, update.length, update.endDelay, update.milestones) = (.to(100), .seconds(1), 5, [100])
            let name = ResourceName(kind, "t")
            try script.apply(.update(name, update))
            script.wait(until: 2)
            if isCutOff {
                try script.apply(.play(name, .cancel))
            } else {
                #expect(script.engine.slotsReachingMilestones(at: script.now) == [0])
                script.engine.passMilestones(slot: 0, at: script.now)
                script.wait(until: 2)
            }
            #expect(script.log.first == "milestone t 100", "\(script.log)")
        }
    }

    @Test(arguments: [true, false])
    func `milestones that one tick crosses are sent in the order they are passed`(isRising: Bool) throws {
        var script = EngineScript()
        try script.update("t") {
            ($0.from, $0.goal) = isRising ? (0, .to(100)) : (100, .to(0))
            $0.milestones = [50, 75, 25]
        }
        script.wait(until: 60)
        let order = isRising ? [25, 50, 75] : [75, 50, 25]
        #expect(script.log == order.map { "milestone t \($0)" } + ["complete t#1 finished"])
    }

    @Test(arguments: [
        Command.play(ticker("t"), .pause), .play(ticker("t"), .rate(-1)), .play(ticker("t"), .seekFraction(0.9)),
        .play(ticker("t"), .cancel), .remove(ticker("t")),
    ])
    func `milestones that were crossed since the last tick are told before their motion changes`(
        command: Command
    ) throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(100)
            $0.milestones = [25, 60]
        }
        script.wait(until: 1)
        try script.apply(command)
        script.wait(until: 1.1)
        #expect(script.log.first == "milestone t 25")
        #expect(script.log.count { $0.hasPrefix("milestone") } == 1)
    }

    @Test func `milestones that were crossed since the last tick are told before an update takes over`() throws {
        var script = EngineScript()
        for goal in [ExactDecimal(100), 0] {
            try script.update("t") {
                $0.goal = .to(goal)
                $0.milestones = [25, 60]
            }
            script.wait(until: 1)
        }
        #expect(script.log == ["milestone t 25", "complete t#1 superseded"])
    }
}
