// Progress as people watch it: how long it has taken, how fast it goes, how long it will take, and when it has stalled.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct PaceTests {
    private static let name = ResourceName(.progress, "p")

    /// Ten units a second, one update each second, until `end`.
    private static func steady(until end: Int, label: String = "{elapsed} {rate} {eta}") throws -> EngineScript {
        var script = EngineScript()
        for second in 0...end {
            script.wait(until: Double(second))
            var update = TrackUpdate()
            update.label = label
            update.maximum = .value(200)
            update.goal = .to(ExactDecimal(second * 10))
            try script.apply(.update(name, update))
        }
        return script
    }

    private static func set(_ script: inout EngineScript, _ change: (inout TrackUpdate) -> Void) throws {
        var update = TrackUpdate()
        change(&update)
        try script.apply(.update(name, update))
    }

    @Test func `elapsed time, rate and time left of a progress follow its updates`() throws {
        var script = try Self.steady(until: 10)
        #expect(script.text("p", .progress) == "0:10 10 0:10")
        script.wait(until: 10.6)
        // The time left counts down through a usual gap.
        #expect(script.text("p", .progress) == "0:10 10 0:10")
        script.wait(until: 11)
        #expect(script.text("p", .progress) == "0:11 10 0:09")
    }

    @Test func `no time left is shown after a single step of progress`() throws {
        let script = try Self.steady(until: 1)
        #expect(script.text("p", .progress) == "0:01 10 –")
    }

    @Test func `a progress without updates for three gaps is stalled until the next update`() throws {
        var script = try Self.steady(until: 10)
        script.wait(until: 13)
        #expect(script.engine.track(Self.name)?.pace(at: script.now).state == .running)
        script.wait(until: 13.1)
        let stalled = script.engine.track(Self.name)?.pace(at: script.now)
        #expect(stalled?.state == .stalled)
        #expect(stalled?.secondsLeft == nil)
        #expect(script.text("p", .progress)?.hasSuffix(" –") == true)
        try Self.set(&script) { $0.goal = .to(110) }
        #expect(script.engine.track(Self.name)?.pace(at: script.now).state == .running)
    }

    @Test func `a finished progress stops its elapsed time and shows no rate`() throws {
        var script = try Self.steady(until: 20)
        script.wait(until: 60)
        let track = try #require(script.engine.track(Self.name))
        #expect(track.isDone)
        #expect(!track.followsTime)
        #expect(track.pace(at: script.now).state == .done)
        #expect(script.text("p", .progress) == "0:20 – 0:00")
        #expect(track.progressDescriptor(at: script.now)?.accessible == "100 percent, done")
    }

    @Test func `a progress shows 100 percent only once its motion has finished`() throws {
        var script = EngineScript()
        try Self.set(&script) {
            $0.goal = .to(200)
            $0.maximum = .value(200)
            $0.length = .seconds(1)
        }
        script.wait(until: 0.999_999)
        #expect(script.text("p", .progress) == "99%")
        script.wait(until: 1)
        #expect(script.text("p", .progress) == "100%")
    }

    /// From nothing to `end` of 1,000 in six seconds, ten milliseconds after it came to be.
    private static func passage(to end: ExactDecimal) throws -> EngineScript {
        var script = EngineScript()
        try set(&script) {
            $0.label = "{rate} {eta}"
            $0.goal = .to(0)
            $0.maximum = .value(1_000)
            $0.length = .seconds(0)
        }
        script.wait(until: 0.01)
        try set(&script) {
            $0.goal = .to(end)
            $0.length = .seconds(6)
        }
        return script
    }

    @Test(arguments: [0.02, 1.01, 2.01, 4.01, 5.91])
    func `a long motion gives an even rate, and its time left runs out at its end`(time: Double) throws {
        var script = try Self.passage(to: 1_000)
        script.wait(until: time)
        let pace = try #require(script.engine.track(Self.name)?.pace(at: script.now))
        #expect(abs((pace.rate ?? 0) - 1_000 / 6.0) < 0.01)
        #expect(abs((pace.secondsLeft ?? 0) - (6.01 - time)) < 1e-6)
        #expect(pace.state == .running)
    }

    @Test func `after a long motion to part of the maximum the time left is estimated`() throws {
        var script = try Self.passage(to: 600)
        script.wait(until: 3.01)
        var pace = try #require(script.engine.track(Self.name)?.pace(at: script.now))
        #expect(abs((pace.rate ?? 0) - 100) < 0.01)
        #expect(abs((pace.secondsLeft ?? 0) - 7) < 0.01)
        script.wait(until: 30)
        pace = try #require(script.engine.track(Self.name)?.pace(at: script.now))
        #expect(pace.state == .running)
    }

    @Test func `a progress in motion is not stalled until its motion has ended`() throws {
        var script = try Self.steady(until: 10)
        try Self.set(&script) {
            $0.goal = .to(190)
            $0.length = .seconds(60)
        }
        for second in 11...69 {
            script.wait(until: Double(second))
            let track = try #require(script.engine.track(Self.name))
            #expect(!track.isStalled(at: script.now))
        }
        script.wait(until: 300)
        #expect(script.engine.track(Self.name)?.isStalled(at: script.now) == true)
    }

    @Test func `a maximum that grows takes the percentage back, and the value stays`() throws {
        var script = try Self.steady(until: 10, label: "{value} of {maximum}, {percent}%")
        script.wait(until: 10.9)
        #expect(script.text("p", .progress) == "100 of 200, 50%")
        try Self.set(&script) { $0.maximum = .value(400) }
        #expect(script.text("p", .progress) == "100 of 200, 50%")
        script.wait(until: 12)
        #expect(script.text("p", .progress) == "100 of 400, 25%")
        let left = try #require(script.engine.track(Self.name)?.pace(at: script.now).secondsLeft)
        #expect((25...31).contains(left))
    }

    @Test func `a progress turns from indeterminate to determinate and back`() throws {
        var script = EngineScript()
        try Self.set(&script) {
            $0.goal = .to(30)
            $0.maximum = .indeterminate
        }
        script.wait(until: 1)
        #expect(script.text("p", .progress) == "Working…")
        #expect(script.reading("p", .progress)?.fraction == nil)
        try Self.set(&script) { $0.maximum = .value(60) }
        script.wait(until: 2)
        #expect(script.text("p", .progress) == "50%")
        #expect(script.reading("p", .progress)?.fraction == 0.5)
        try Self.set(&script) { $0.maximum = .indeterminate }
        #expect(script.reading("p", .progress)?.fraction == nil)
        #expect(script.reading("p", .progress)?.value == .exact(30))
    }

    @Test func `value and maximum of a progress have decimals of their own and share a format`() throws {
        var script = EngineScript()
        try Self.set(&script) {
            $0.label = "{value} of {maximum}"
            $0.goal = .to(ExactDecimal(parsing: "12.5") ?? 0)
        }
        #expect(script.text("p", .progress) == "0.0 of 100")
        script.wait(until: 1)
        #expect(script.text("p", .progress) == "12.5 of 100")
        try Self.set(&script) { $0.format = NumberFormat(style: .currency, currency: "USD") }
        #expect(script.text("p", .progress) == "12.50 of 100.00")
    }
}
