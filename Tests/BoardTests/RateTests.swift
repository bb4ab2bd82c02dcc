// Motions whose own time runs at another rate than the timeline: what is repeated, what begins later, what continues.

import Base
import Board
import Labels
import RecurrenceRules
import Testing
import Tween

@Suite struct RateTests {
    private static let progress = ResourceName(.progress, "p")

    private static func run(_ id: String, _ script: EngineScript) throws -> Run {
        try #require(script.engine.track(ticker(id))?.run)
    }

    // MARK: - Repeated updates

    @Test(arguments: [-1, 0, 0.5, 2]) func `a repeated update restores a motion whose rate was changed`(
        rate: Double
    ) throws {
        var script = EngineScript()
        func send() throws -> Acceptance { try script.update("t") { ($0.goal, $0.length) = (.to(10), .seconds(2)) } }
        _ = try send()
        script.wait(until: 1)
        try script.apply(.play(ticker("t"), .rate(rate)))
        let again = try send()
        #expect(!again.unchanged && again.animation == 3)
        #expect(try send().unchanged, "now it is the running one")
        script.wait(until: 3)
        #expect(script.text("t") == "10" && script.log.last == "complete t#3 finished")
    }

    // MARK: - Later beginnings

    @Test(arguments: [0.25, 1, 4]) func `a start and a batch position count clock seconds, whatever the rate`(
        rate: Double
    ) throws {
        var script = EngineScript()
        try script.update("a") { ($0.goal, $0.length) = (.to(1), .seconds(3)) }
        for (id, start, lead) in [("b", MotionAnchor(.after, ticker("a")), 0.0), ("c", nil, 3)] {
            try script.update(id) {
                ($0.goal, $0.length, $0.rate, $0.start, $0.lead) = (.to(10), .seconds(1), rate, start, lead)
            }
        }
        script.wait(until: 3)
        #expect(script.text("b") == "0" && script.text("c") == "0")
        script.wait(until: 3 + 0.5 / rate)
        #expect(script.text("b") == "5" && script.text("c") == "5")
        script.wait(until: 3 + 1 / rate)
        #expect(script.text("b") == "10" && script.text("c") == "10")
    }

    @Test func `a motion that runs backwards stays at its target until it begins`() throws {
        var script = EngineScript()
        try script.update("t") { ($0.goal, $0.length, $0.rate, $0.lead) = (.to(10), .seconds(1), -2, 3) }
        script.wait(until: 3)
        #expect(script.text("t") == "10")
        script.wait(until: 3.25)
        #expect(script.text("t") == "5")
        script.wait(until: 3.5)
        #expect(script.log == ["complete t#1 finished"] && script.text("t") == "0")
    }

    @Test func `a reversed motion begins after its end delay, and motions anchored to it begin then`() throws {
        var script = EngineScript()
        try script.update("a") { ($0.goal, $0.length, $0.endDelay, $0.rate) = (.to(10), .seconds(4), 6, -2) }
        script.wait(until: 1)
        try script.update("b") { ($0.goal, $0.start) = (.to(10), MotionAnchor(.with, ticker("a"))) }
        let delay = try Self.run("b", script).request.delay
        #expect(delay == 2)
    }

    @Test func `a start later than the longest delay is rejected at any rate`() throws {
        var script = EngineScript()
        let most = TrackUpdate.maximumSeconds
        for (rate, lead, delay) in [(0.5, 1, 0.6 * most), (1_000, most, 1_000)] {
            let error = #expect(throws: CommandError.self) {
                try script.update("t") { ($0.goal, $0.rate, $0.lead, $0.delay) = (.to(1), rate, lead, delay) }
            }
            guard case .invalid("delay", _)? = error else {
                Issue.record("\(String(describing: error)) for \(rate)")
                continue
            }
        }
        try script.update("t") { ($0.goal, $0.rate, $0.lead) = (.to(1), 1_000, 864_000) }
        let end = try #require(try Self.run("t", script).motion.end)
        #expect(abs(end.seconds(since: script.now) - 864_000.002) < 1e-6)
    }

    // MARK: - Velocities

    private static let curves: [TrackUpdate.Curve] = [
        .easing(.cssEaseInOut), .spring(.settling(dampingRatio: 1, initialVelocity: 0)),
    ]

    @Test(arguments: [0.25, 1, 3], curves)
    func `a number that turns to another target keeps its velocity, whatever its rate`(
        rate: Double, curve: TrackUpdate.Curve
    ) throws {
        var script = EngineScript()
        try script.update("t") { ($0.goal, $0.length, $0.rate) = (.to(100), .seconds(2), 2) }
        script.wait(until: 0.5)
        try script.update("t") { ($0.goal, $0.length, $0.rate, $0.curve) = (.to(200), .seconds(3), rate, curve) }
        let motion = try Self.run("t", script).motion
        #expect(abs(motion.velocity(at: script.now) - 100) < 1e-9)
        let later = script.now.advanced(bySeconds: 1e-5)
        #expect(abs((motion.value(at: later) - motion.value(at: script.now)) / 1e-5 - 100) < 0.5)
    }

    @Test(arguments: [0.5, 1, 4])
    func `a decay keeps the velocity of the motion before it, whatever its rate`(rate: Double) throws {
        var script = EngineScript()
        try script.update("t") { ($0.goal, $0.length, $0.decimals) = (.to(100), .seconds(1), 6) }
        script.wait(until: 0.5)
        try script.update("t") {
            ($0.goal, $0.rate, $0.decimals) = (.decay(TrackUpdate.Decay(timeConstant: 0.2)), rate, 6)
        }
        let motion = try Self.run("t", script).motion
        #expect(abs(motion.velocity(at: script.now) - 100) < 1e-3)
        #expect(abs(motion.to - (50 + 100 / rate * 0.2)) < 1e-6)
    }

    // MARK: - Maxima

    private static func set(_ script: inout EngineScript, _ change: (inout TrackUpdate) -> Void) throws {
        var update = TrackUpdate()
        change(&update)
        try script.apply(.update(progress, update))
    }

    private static func resting() throws -> EngineScript {
        var script = EngineScript()
        try set(&script) {
            ($0.label, $0.goal, $0.maximum) = ("{value} of {maximum}", .to(40), .value(100))
            $0.length = .seconds(0)
        }
        return script
    }

    @Test func `a motion that runs backwards takes its maximum forwards`() throws {
        var script = try Self.resting()
        try Self.set(&script) {
            ($0.goal, $0.maximum, $0.length, $0.curve) = (.to(80), .value(200), .seconds(2), .easing(.linear))
            $0.rate = -1
        }
        var texts: [String?] = []
        for second in [0.0, 1, 2] {
            script.wait(until: second)
            texts.append(script.text("p", .progress))
        }
        #expect(texts == ["80 of 100", "60 of 150", "40 of 200"])
    }

    @Test func `a motion reversed on its way keeps moving its maximum forwards`() throws {
        var script = try Self.resting()
        try Self.set(&script) {
            ($0.goal, $0.maximum, $0.length, $0.curve) = (.to(80), .value(200), .seconds(2), .easing(.linear))
        }
        script.wait(until: 1)
        #expect(script.text("p", .progress) == "60 of 150")
        try script.apply(.play(Self.progress, .rate(-1)))
        #expect(script.text("p", .progress) == "60 of 150")
        script.wait(until: 1.5)
        #expect(script.text("p", .progress) == "50 of 175")
        try script.apply(.play(Self.progress, .rate(1)))
        script.wait(until: 2)
        #expect(script.text("p", .progress) == "60 of 183")
        script.wait(until: 3)
        #expect(script.text("p", .progress) == "80 of 200" && script.log.last == "complete p#2 finished")
    }

    @Test func `a maximum alone leaves a motion that runs backwards as it is`() throws {
        var script = try Self.resting()
        try Self.set(&script) { ($0.goal, $0.length, $0.curve) = (.to(80), .seconds(2), .easing(.linear)) }
        script.wait(until: 1)
        try script.apply(.play(Self.progress, .rate(-1)))
        try Self.set(&script) { $0.maximum = .value(200) }
        #expect(script.text("p", .progress) == "60 of 100")
        script.wait(until: 1.5)
        #expect(script.text("p", .progress) == "50 of 150")
        script.wait(until: 2)
        #expect(script.text("p", .progress) == "40 of 200" && script.log.last == "complete p#2 finished")
    }

    // MARK: - Actions

    /// Motions from 0 to 5 that take no time, or hardly any.
    private static let kicks: [@Sendable (inout TrackUpdate) -> Void] = [
        { ($0.length, $0.rate) = (.seconds(1), 1_000) }, { ($0.length, $0.rate) = (.seconds(0), -0.001) },
        {
            guard let spring = try? Spring(duration: 0, bounce: 0) else { return }
            ($0.curve, $0.rate) = (.spring(.spring(spring, initialVelocity: 0)), 4)
        },
        {
            ($0.goal, $0.length, $0.rate) = (
                .along([
                    TrackUpdate.Waypoint(target: 9, offset: 0.5, easing: nil),
                    TrackUpdate.Waypoint(target: 5, offset: 1, easing: nil),
                ]), .seconds(1), 1_000
            )
        },
    ]

    @Test(arguments: kicks.indices)
    func `an action's motion lasts at least one tick, at any rate`(index: Int) throws {
        var script = EngineScript()
        var update = TrackUpdate()
        (update.goal, update.from) = (.to(5), 0)
        Self.kicks[index](&update)
        let actions = ActionList(actions: [.update(ticker("t"), update)], source: [])
        try script.update("a") { ($0.goal, $0.length, $0.then) = (.to(1), .seconds(1), actions) }
        script.wait(until: 1)
        let end = try #require(try Self.run("t", script).motion.end)
        let shortest = script.engine.configuration.shortestActionMotion
        #expect(abs(end.seconds(since: script.now) - shortest) < 1e-6)
        let hasKeyframes = try Self.run("t", script).motion.keyframes != nil
        #expect(hasKeyframes == (index == 3))
    }
}
