// A progress as a task: what is paused stands still, what was done before says nothing of its pace, and neither does the time
// in which nobody could be told of it.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct ProgressTaskTests {
    private static let name = ResourceName(.progress, "p")

    /// Sends a progress somewhere; without a length it is there at once.
    private static func send(_ script: inout EngineScript, _ change: (inout TrackUpdate) throws -> Void) throws {
        var update = TrackUpdate()
        update.length = .seconds(0)
        try change(&update)
        try script.apply(.update(name, update))
    }

    private static func track(_ script: EngineScript) throws -> Track { try #require(script.engine.track(name)) }

    private static func pace(_ script: EngineScript) throws -> ProgressPace {
        try track(script).pace(at: script.now)
    }

    @Test func `a maximum of the same value and more decimals is shown with them`() throws {
        var script = EngineScript()
        try Self.send(&script) { update in
            update.label = "{value} of {maximum}"
            update.maximum = .value(100)
        }
        try Self.send(&script) { $0.maximum = .value(try #require(ExactDecimal("100.00"))) }
        let text = String(decoding: try Self.track(script).reading(at: script.now).text, as: UTF8.self)
        #expect(text.hasSuffix("of 100.00"))
    }

    /// Five units a second of 100, until 25 are done at 5 s.
    private static func fivePerSecond() throws -> EngineScript {
        var script = EngineScript()
        for step in 0...25 {
            script.wait(until: Double(step) / 5)
            try send(&script) { $0.goal = .to(ExactDecimal(step)) }
        }
        return script
    }

    /// From nothing to 100, or elsewhere, in twenty seconds; five of them are over.
    private static func passage(to end: Int) throws -> EngineScript {
        var script = EngineScript()
        try send(&script) { $0.goal = .to(0) }
        try send(&script) {
            $0.goal = .to(ExactDecimal(end))
            $0.length = .seconds(20)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 5)
        return script
    }

    private static func passage() throws -> EngineScript { try passage(to: 100) }

    // MARK: - Paused

    @Test(arguments: [fivePerSecond, passage])
    func `a progress that is paused stands still, and goes on at the rate it had`(
        begin: @Sendable () throws -> EngineScript
    ) throws {
        var script = try begin()
        try script.apply(.play(Self.name, .pause))
        for second in [5, 6, 13.0] {
            script.wait(until: second)
            let pace = try Self.pace(script)
            #expect(pace.state == .paused && pace.elapsed == 5)
            #expect(abs((pace.rate ?? 0) - 5) < 0.01 && abs((pace.secondsLeft ?? 0) - 15) < 0.01)
            #expect(try !Self.track(script).followsTime)
        }
        try script.apply(.play(Self.name, .resume))
        script.wait(until: 13.2)
        if try Self.track(script).run == nil { try Self.send(&script) { $0.goal = .to(26) } }
        let pace = try Self.pace(script)
        #expect(pace.state == .running && abs((pace.elapsed ?? 0) - 5.2) < 1e-6)
        #expect(abs((pace.rate ?? 0) - 5) < 0.01 && abs((pace.secondsLeft ?? 0) - 14.8) < 0.01)
        #expect(script.log.filter { !$0.hasPrefix("complete") } == ["paused p", "resumed p"])
    }

    @Test func `a task at rest can be paused; an update sets its number and leaves it paused`() throws {
        var script = try Self.fivePerSecond()
        let revision = try Self.track(script).revision
        #expect(try script.apply(.play(Self.name, .pause)).revision == revision + 1)
        script.wait(until: 9)
        try Self.send(&script) { $0.goal = .to(60) }
        script.wait(until: 20)
        #expect(script.reading("p", .progress)?.value == .exact(60))
        var pace = try Self.pace(script)
        #expect(pace.state == .paused && pace.elapsed == 5)
        // What came meanwhile is done, and says nothing of the pace.
        #expect(abs((pace.rate ?? 0) - 5) < 0.01 && abs((pace.secondsLeft ?? 0) - 8) < 0.01)
        try script.apply(.play(Self.name, .resume))
        for step in 1...5 {
            script.wait(until: 20 + Double(step) / 5)
            try Self.send(&script) { $0.goal = .to(ExactDecimal(60 + step)) }
        }
        pace = try Self.pace(script)
        #expect(pace.state == .running && abs((pace.elapsed ?? 0) - 6) < 1e-6)
        #expect(abs((pace.rate ?? 0) - 5) < 0.01 && abs((pace.secondsLeft ?? 0) - 7) < 0.01)
    }

    @Test func `an update in the midst of a pause moves the bar and leaves the task paused`() throws {
        var script = try Self.passage()
        try script.apply(.play(Self.name, .pause))
        script.wait(until: 8)
        try Self.send(&script) {
            $0.goal = .to(65)
            $0.length = .seconds(4)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 10)
        #expect(try Self.pace(script).state == .paused)
        #expect(script.reading("p", .progress)?.value.double == 45)
        try script.apply(.play(Self.name, .resume))
        script.wait(until: 12)
        let pace = try Self.pace(script)
        #expect(pace.state == .running && pace.elapsed == 7)
        // 25 units in 5 s before the pause, 20 in 2 s behind it.
        #expect((5...8).contains(try #require(pace.rate)))
    }

    @Test func `pausing a finished progress changes nothing and sends no event`() throws {
        var script = EngineScript()
        try Self.send(&script) { $0.goal = .to(100) }
        let events = script.log
        try script.apply(.play(Self.name, .pause))
        #expect(try Self.pace(script).state == .done)
        #expect(script.log == events)
        #expect(try Self.track(script).pausedSince == nil)
    }

    @Test func `setting the clock does not change the elapsed time of a paused progress`() throws {
        var script = try Self.fivePerSecond()
        try script.apply(.play(Self.name, .pause))
        script.set(clockBy: -3)
        script.wait(until: 10)
        #expect(try Self.pace(script).elapsed == 5)
        try script.apply(.play(Self.name, .resume))
        script.wait(until: 11)
        #expect(abs(try #require(try Self.pace(script).elapsed) - 6) < 1e-6)
    }

    // MARK: - Stalled

    @Test(arguments: [0, 3.0])
    func `a progress resting where a single update sent it has not stalled`(seconds: Double) throws {
        var script = EngineScript()
        try Self.send(&script) {
            $0.goal = .to(60)
            $0.length = .seconds(seconds)
        }
        for later in [1, 10, 3_600.0] {
            script.wait(until: later)
            #expect(try Self.pace(script).state == .running)
        }
    }

    @Test func `a feed that ends early has stalled, however fast it was`() throws {
        var script = try Self.fivePerSecond()
        script.wait(until: 5.9)
        #expect(try Self.pace(script).state == .running)
        script.wait(until: 6.1)
        let pace = try Self.pace(script)
        #expect(pace.state == .stalled && pace.secondsLeft == nil)
    }

    // MARK: - Done before

    @Test func `a burst of skipped work is forgotten once a slower rate has settled`() throws {
        var script = EngineScript()
        for step in 1...400 {
            script.wait(until: Double(step) / 800)
            try Self.send(&script) {
                $0.goal = .by(1)
                $0.maximum = .value(1_000)
            }
        }
        for second in 1...10 {
            script.wait(until: 0.5 + Double(second))
            try Self.send(&script) { $0.goal = .by(1) }
            guard second > 4 else { continue }
            let pace = try Self.pace(script)
            #expect(abs((pace.rate ?? 0) - 1) < 0.01 && pace.state == .running)
            #expect(abs((pace.secondsLeft ?? 0) - Double(600 - second)) < 6)
        }
    }

    @Test func `work done before, set as initial, counts in the bar and not in the rate`() throws {
        var script = EngineScript()
        try Self.send(&script) {
            $0.goal = .to(0)
            $0.initial = 400
            $0.maximum = .value(1_000)
        }
        // It is gone through once more, slowly and then fast.
        for (time, value) in [(10, 100), (20, 101), (20.1, 400)] {
            script.wait(until: time)
            try Self.send(&script) { $0.goal = .to(ExactDecimal(value)) }
            #expect(try Self.pace(script).rate == nil)
        }
        #expect(script.text("p", .progress) == "40%")
        for second in 1...3 {
            script.wait(until: 20.1 + Double(second))
            try Self.send(&script) { $0.goal = .by(1) }
        }
        var pace = try Self.pace(script)
        #expect(abs((pace.rate ?? 0) - 1) < 1e-6 && abs((pace.secondsLeft ?? 0) - 597) < 1e-3)
        #expect(abs((pace.elapsed ?? 0) - 23.1) < 1e-6)
        // Whoever begins again begins from nothing.
        for second in 0...3 {
            script.wait(until: 30 + Double(second))
            try Self.send(&script) { $0.goal = .to(ExactDecimal(second)) }
        }
        pace = try Self.pace(script)
        #expect(pace.elapsed == 3 && abs((pace.rate ?? 0) - 1) < 1e-6)
    }

    @Test func `initial may be set after the progress has begun`() throws {
        var script = try Self.fivePerSecond()
        var update = TrackUpdate()
        update.initial = 25
        try script.apply(.update(Self.name, update))
        #expect(try Self.pace(script).rate == nil)
        for second in 1...3 {
            script.wait(until: 5 + Double(second))
            try Self.send(&script) { $0.goal = .by(1) }
        }
        #expect(abs(try #require(try Self.pace(script).rate) - 1) < 1e-6)
    }

    // MARK: - Out of reach

    @Test(arguments: [26, 66])
    func `the time of an outage does not lower a progress's rate`(next: Int) throws {
        let before = try Self.fivePerSecond()
        var script = EngineScript()
        script.wait(until: 13)
        script.engine.adopt([.track(try Self.track(before))], at: script.now)
        var pace = try Self.pace(script)
        #expect(pace.state == .running && pace.elapsed == 13)
        #expect(abs((pace.rate ?? 0) - 5) < 0.01 && abs((pace.secondsLeft ?? 0) - 15) < 0.01)
        // It waited, or went on by itself.
        for step in 0...5 {
            script.wait(until: 13.2 + Double(step) / 5)
            try Self.send(&script) { $0.goal = .to(ExactDecimal(next + step)) }
            pace = try Self.pace(script)
            #expect(pace.state == .running && abs((pace.rate ?? 0) - 5) < 0.01)
            #expect(abs((pace.secondsLeft ?? 0) - Double(100 - next - step) / 5) < 0.01)
        }
    }

    @Test(arguments: [(60, 13.0), (50, 60)])
    func `a long motion keeps its rate through an outage`(end: Int, time: Double) throws {
        let before = try Self.passage(to: end)
        var script = EngineScript()
        script.wait(until: time)
        script.engine.adopt([.track(try Self.track(before))], at: script.now)
        script.wait(until: time + 0.01)
        let pace = try Self.pace(script)
        #expect(pace.state == .running && abs((pace.rate ?? 0) - Double(end) / 20) < 0.01)
    }

    @Test func `a progress without updates after an outage is stalled`() throws {
        let before = try Self.fivePerSecond()
        var script = EngineScript()
        script.wait(until: 13)
        script.engine.adopt([.track(try Self.track(before))], at: script.now)
        script.wait(until: 14.5)
        #expect(try Self.pace(script).state == .stalled)
    }

    // MARK: - Looks

    private static let looks: [@Sendable (inout TrackUpdate) -> Void] = [
        { $0.label = "{value} of {maximum}" }, { $0.appearance = Array("{}".utf8) }, { $0.indeterminate = "later" },
        { $0.initial = 2 }, { ($0.label, $0.maximum) = ("{value}", .value(100)) }, { $0.maximum = .indeterminate },
    ]

    @Test(arguments: looks.indices)
    func `changing only the look of a resting progress starts no motion and is no step of its rate`(index: Int) throws {
        var script = try Self.fivePerSecond()
        var definition = TrackUpdate()
        definition.then = ActionList(actions: [.notify(name: "then", data: nil)], source: [])
        definition.milestones = [25]
        try script.apply(.define(Self.name, definition))
        let (before, events) = (try Self.track(script), script.log.count)
        script.wait(until: 5.1)
        var update = TrackUpdate()
        Self.looks[index](&update)
        let first = try script.apply(.update(Self.name, update))
        let track = try Self.track(script)
        #expect(!first.unchanged && first.animation == nil && track.revision == before.revision + 1)
        #expect(track.cadence == before.cadence && track.touched == script.now && track.run == nil)
        #expect(script.log.count == events && track.rendering != before.rendering)
        #expect(try script.apply(.update(Self.name, update)).unchanged)
    }

    @Test func `changing the look during an end delay leaves the motion to complete`() throws {
        var script = EngineScript()
        try Self.send(&script) { ($0.goal, $0.endDelay) = (.to(10), 5) }
        script.wait(until: 1)
        var update = TrackUpdate()
        update.label = "{value}"
        #expect(try script.apply(.update(Self.name, update)).animation == 1)
        script.wait(until: 5)
        #expect(script.log == ["complete p#1 finished"])
    }
}
