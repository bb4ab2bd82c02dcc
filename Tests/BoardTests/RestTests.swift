// Where a number will rest: what is told as its target, and what amounts and bounds are reckoned from.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct RestTests {
    /// Ways that don't end at the number they go to, from 10 to 50, each with where it ends.
    private static let ways: [(Int, @Sendable (inout TrackUpdate) -> Void)] = [
        (10, { $0.autoreverse = true }), (10, { $0.rate = -1 }), (10, { $0.direction = .reverse }),
        (10, { ($0.direction, $0.repeats) = (.alternate, 1) }), (50, { ($0.autoreverse, $0.repeats) = (true, 0.5) }),
        (50, { ($0.rate, $0.direction) = (-1, .reverse) }), (30, { $0.repeats = 0.5 }), (50, { $0.repeats = 3 }),
        (50, { ($0.autoreverse, $0.animated) = (true, false) }),
    ]

    private static func script(_ kind: ResourceKind = .ticker) throws -> EngineScript {
        var script = EngineScript()
        try send(&script, kind) {
            $0.goal = .to(10)
            $0.length = .seconds(0)
        }
        return script
    }

    private static func send(
        _ script: inout EngineScript, _ kind: ResourceKind = .ticker, _ change: (inout TrackUpdate) -> Void
    ) throws {
        var update = TrackUpdate()
        change(&update)
        try script.apply(.update(ResourceName(kind, "t"), update))
    }

    private static func target(_ script: EngineScript, _ kind: ResourceKind = .ticker) -> ExactDecimal? {
        script.engine.track(ResourceName(kind, "t"))?.target
    }

    @Test(arguments: ways.indices, [ResourceKind.ticker, .progress])
    func `the target is where the motion will rest, and by adds to that`(
        index: Int, kind: ResourceKind
    ) throws {
        let (rest, way) = Self.ways[index]
        var script = try Self.script(kind)
        try Self.send(&script, kind) {
            $0.goal = .to(50)
            $0.length = .seconds(1)
            way(&$0)
        }
        script.wait(until: 0.3)
        #expect(Self.target(script, kind) == ExactDecimal(rest))
        var added = script
        try Self.send(&added, kind) { $0.goal = .by(5) }
        #expect(Self.target(added, kind) == ExactDecimal(rest + 5))
        script.wait(until: 9)
        #expect(script.reading("t", kind)?.value.double == Double(rest))
        #expect(Self.target(script, kind) == ExactDecimal(rest))
    }

    @Test(arguments: ways.indices)
    func `a queued by adds to where the motion before it will rest`(index: Int) throws {
        let (rest, way) = Self.ways[index]
        var script = try Self.script()
        try Self.send(&script) {
            $0.goal = .to(10)
            $0.from = 0
        }
        try Self.send(&script) {
            $0.goal = .to(50)
            $0.length = .seconds(1)
            $0.interruption = .queue
            way(&$0)
        }
        try Self.send(&script) {
            $0.goal = .by(5)
            $0.interruption = .queue
        }
        script.wait(until: 20)
        #expect(Self.target(script) == ExactDecimal(rest + 5))
    }

    @Test func `a motion reversed on its way has its start as its target`() throws {
        var script = try Self.script()
        try Self.send(&script) { $0.goal = .to(50) }
        script.wait(until: 1)
        try script.apply(.play(ticker("t"), .rate(-2)))
        #expect(Self.target(script) == 10)
        try script.apply(.play(ticker("t"), .rate(1)))
        #expect(Self.target(script) == 50)
    }

    @Test func `max compares with where the motion will rest`() throws {
        var script = try Self.script()
        try Self.send(&script) {
            $0.goal = .to(50)
            $0.autoreverse = true
        }
        script.wait(until: 1)
        try Self.send(&script) { $0.goal = .max(20) }
        #expect(Self.target(script) == 20)
    }

    @Test func `an instant update's motion has the update's revision as its number`() throws {
        var script = try Self.script()
        let acceptance = try script.update("t") {
            $0.goal = .to(50)
            $0.length = .seconds(0)
        }
        #expect(acceptance.animation == acceptance.revision)
        #expect(script.log.last == "complete t#\(acceptance.revision) finished")
    }

    @Test(arguments: [0, 2.0])
    func `a queued decay is rejected, whether the number moves or not`(seconds: Double) throws {
        var script = try Self.script()
        try script.update("t") {
            $0.goal = .to(50)
            $0.length = .seconds(seconds)
        }
        let refusal = #expect(throws: CommandError.self) {
            try script.update("t") {
                $0.goal = .decay(TrackUpdate.Decay(velocity: 100))
                $0.interruption = .queue
            }
        }
        guard case .invalid("decay", _) = refusal else { throw try #require(refusal) }
    }

    // MARK: - Held at a bound

    /// A progress that a spring has taken past its maximum, where it is held.
    private static func held() throws -> EngineScript {
        var script = EngineScript()
        try send(&script, .progress) {
            $0.goal = .to(100)
            $0.curve = .spring(.settling(dampingRatio: 0.2, initialVelocity: 0))
            $0.length = .seconds(2)
        }
        while script.engine.track(ResourceName(.progress, "t"))?.run?.motion.value(at: script.now) ?? 100 < 120 {
            script.wait(until: script.time + 0.01)
        }
        return script
    }

    @Test(
        arguments: [10, 150],
        [TrackUpdate.Curve.easing(.linear), .spring(.settling(dampingRatio: 1, initialVelocity: 0))])
    func `a progress held at its maximum by an overshoot moves at once when it is retargeted`(
        end: Int, curve: TrackUpdate.Curve
    ) throws {
        var script = try Self.held()
        let shown = try #require(script.reading("t", .progress)?.value.double)
        #expect(shown < 100)
        try Self.send(&script, .progress) {
            $0.goal = .to(ExactDecimal(end))
            $0.maximum = .value(200)
            $0.curve = curve
            $0.length = .seconds(1)
        }
        #expect(script.reading("t", .progress)?.value.double == shown)
        script.wait(until: script.time + 0.05)
        let moved = try #require(script.reading("t", .progress)?.value.double)
        #expect(abs(moved - shown) > 0.2 && abs(moved - shown) < 20)
    }

    @Test func `a decay from a progress held at its maximum starts without velocity`() throws {
        var script = try Self.held()
        try Self.send(&script, .progress) { $0.goal = .decay(TrackUpdate.Decay()) }
        script.wait(until: script.time + 3)
        #expect(abs(try #require(script.reading("t", .progress)?.value.double) - 100) < 0.01)
    }

    // MARK: - Nothing to do

    @Test func `a progress with a maximum of 0 is done`() throws {
        var script = EngineScript()
        try Self.send(&script, .progress) {
            $0.goal = .to(0)
            $0.maximum = .value(.zero)
            $0.label = "{percent}% {fraction} {current} of {maximum}"
        }
        for time in [0.2, 1, 5] {
            script.wait(until: time)
            let reading = try #require(script.reading("t", .progress))
            #expect(reading.fraction == 1 && reading.percent == 100)
        }
        let track = try #require(script.engine.track(ResourceName(.progress, "t")))
        #expect(track.isDone && track.pace(at: script.now).state == .done)
        #expect(script.text("t", .progress) == "100% 1.00 0 of 0")
        // There is something to do after all, and then nothing again.
        try Self.send(&script, .progress) { $0.maximum = .value(8) }
        script.wait(until: 7)
        #expect(script.reading("t", .progress)?.percent == 0)
        for goal in [4, -4, 0] as [ExactDecimal] {
            try Self.send(&script, .progress) {
                $0.goal = .to(goal)
                $0.maximum = .value(.zero)
                $0.curve = .spring(.settling(dampingRatio: 0.5, initialVelocity: 0))
            }
            for _ in 0..<40 {
                script.wait(until: script.time + 0.05)
                let reading = try #require(script.reading("t", .progress))
                #expect(reading.fraction?.isFinite == true)
            }
            #expect(script.reading("t", .progress)?.percent == (goal < .zero ? 0 : 100))
        }
    }
}
