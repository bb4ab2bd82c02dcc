// A maximum that changes: what is shown goes on from what was shown, and label, bar and percentage agree on the way.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct MaximumTests {
    private static let name = ResourceName(.progress, "p")

    private static func set(_ script: inout EngineScript, _ change: (inout TrackUpdate) -> Void) throws {
        var update = TrackUpdate()
        change(&update)
        try script.apply(.update(name, update))
    }

    /// A progress at rest, after a second.
    private static func resting(at value: ExactDecimal, of maximum: ExactDecimal) throws -> EngineScript {
        var script = EngineScript()
        try set(&script) {
            $0.label = "{value} of {maximum}, {percent}%"
            $0.goal = .to(value)
            $0.maximum = .value(maximum)
            $0.length = .seconds(0)
        }
        script.wait(until: 1)
        return script
    }

    private static func reading(_ script: EngineScript) throws -> Reading {
        try #require(script.engine.track(name)?.reading(at: script.now))
    }

    private static let curves: [TrackUpdate.Curve] = [
        .easing(.linear), .easing(.cssEaseInOut), .spring(.settling(dampingRatio: 0.3, initialVelocity: 0)),
    ]

    @Test(arguments: curves) func `value and maximum that keep their ratio keep the percentage all the way`(
        curve: TrackUpdate.Curve
    )
        throws
    {
        var script = try Self.resting(at: 50, of: 100)
        try Self.set(&script) {
            $0.goal = .to(100)
            $0.maximum = .value(200)
            $0.length = .seconds(0.5)
            $0.curve = curve
        }
        // A spring takes the value past its target, and the maximum not.
        guard case .easing = curve else { return }
        for tick in 0...36 {
            script.wait(until: 1 + Double(tick) / 60)
            let reading = try Self.reading(script)
            #expect(reading.percent == 50)
            #expect(abs((reading.fraction ?? 0) - 0.5) < 1e-12)
        }
        #expect(script.text("p", .progress) == "100 of 200, 50%")
    }

    @Test(arguments: curves) func `changing only the maximum animates the bar in the update's time`(
        curve: TrackUpdate.Curve
    )
        throws
    {
        var script = try Self.resting(at: 50, of: 100)
        try Self.set(&script) {
            $0.maximum = .value(400)
            $0.length = .seconds(0.5)
            $0.curve = curve
        }
        #expect(script.text("p", .progress) == "50 of 100, 50%")
        var last = 0.5
        var steps = 0
        for tick in 1...29 {
            script.wait(until: 1 + Double(tick) / 60)
            let reading = try Self.reading(script)
            let fraction = try #require(reading.fraction)
            // A spring swings back, but never past the new maximum.
            if case .easing = curve { #expect(fraction <= last) }
            #expect(fraction >= 0.125 && fraction <= 0.5)
            #expect(reading.percent == Int(fraction * 100 + 1e-9))
            #expect(reading.value.double == 50)
            steps += fraction != last ? 1 : 0
            last = fraction
        }
        #expect(steps > 8)
        #expect(script.engine.track(Self.name)?.run != nil)
        script.wait(until: 3)
        #expect(script.text("p", .progress) == "50 of 400, 12%")
        #expect(try Self.reading(script).fraction == 0.125)
        #expect(script.log == ["complete p#1 finished", "complete p#2 finished"])
    }

    @Test func `a maximum in mid-flight changes no timing, and supersedes nothing`() throws {
        var script = try Self.resting(at: 0, of: 100)
        try Self.set(&script) {
            $0.goal = .to(100)
            $0.length = .seconds(2)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 2)
        let (before, run) = (try Self.reading(script), script.engine.track(Self.name)?.run)
        try Self.set(&script) { $0.maximum = .value(200) }
        #expect(try Self.reading(script).fraction == before.fraction)
        #expect(script.text("p", .progress) == "50 of 100, 50%")
        #expect(script.engine.track(Self.name)?.run?.motion == run?.motion)
        #expect(script.engine.track(Self.name)?.revision == 3)
        script.wait(until: 2.5)
        #expect(script.text("p", .progress) == "75 of 150, 50%")
        script.wait(until: 3)
        #expect(script.text("p", .progress) == "100 of 200, 50%")
        #expect(script.log == ["complete p#1 finished", "complete p#2 finished"])
    }

    @Test func `pause, seek and rate apply to value and maximum together`() throws {
        var script = try Self.resting(at: 50, of: 100)
        try Self.set(&script) {
            $0.goal = .to(100)
            $0.maximum = .value(400)
            $0.length = .seconds(1)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 1.5)
        #expect(script.text("p", .progress) == "75 of 250, 30%")
        try script.apply(.play(Self.name, .pause))
        script.wait(until: 9)
        #expect(script.text("p", .progress) == "75 of 250, 30%")
        try script.apply(.play(Self.name, .seekFraction(0.75)))
        #expect(script.text("p", .progress) == "88 of 325, 26%")
        try script.apply(.play(Self.name, .rate(0.5)))
        try script.apply(.play(Self.name, .resume))
        script.set(clockBy: 100)
        script.wait(until: script.time + 0.25)
        #expect(script.text("p", .progress) == "94 of 363, 25%")
        script.wait(until: script.time + 0.25)
        #expect(script.text("p", .progress) == "100 of 400, 25%")
    }

    @Test func `an update amid a moving maximum continues it from its shown value`() throws {
        var script = try Self.resting(at: 50, of: 100)
        try Self.set(&script) {
            $0.maximum = .value(300)
            $0.length = .seconds(1)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 1.5)
        #expect(script.text("p", .progress) == "50 of 200, 25%")
        try Self.set(&script) {
            $0.goal = .to(100)
            $0.length = .seconds(1)
            $0.curve = .easing(.linear)
        }
        #expect(script.text("p", .progress) == "50 of 200, 25%")
        script.wait(until: 2.5)
        #expect(script.text("p", .progress) == "100 of 300, 33%")
    }

    @Test func `a label alone changes no motion that is on its way`() throws {
        var script = try Self.resting(at: 0, of: 100)
        try Self.set(&script) {
            $0.goal = .to(100)
            $0.length = .seconds(2)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 2)
        try Self.set(&script) { $0.label = "{percent} %" }
        #expect(script.text("p", .progress) == "50 %")
        let unchanged = try script.apply(
            .update(
                Self.name,
                {
                    var update = TrackUpdate(); update.label = "{percent} %"; return update
                }()))
        #expect(unchanged.unchanged)
        script.wait(until: 3)
        #expect(script.log == ["complete p#1 finished", "complete p#2 finished"])
    }

    @Test(arguments: ["immediately", "unanimated", "from"])
    func `a maximum without a duration, without animation or with from applies at once`(how: String) throws {
        var script = try Self.resting(at: 50, of: 100)
        try Self.set(&script) {
            $0.maximum = .value(200)
            switch how {
            case "immediately": $0.length = .seconds(0)
            case "unanimated": $0.animated = false
            default: $0.from = 20
            }
        }
        #expect(try Self.reading(script).fraction == (how == "from" ? 0.1 : 0.25))
    }

    @Test(arguments: [(0, 100, 99), (0, 80, 99), (100, 50, 100), (50, 100, 99)] as [(Int, Int, Int)])
    func `a spring's overshoot never shows more than the maximum`(from: Int, to: Int, most: Int) throws {
        var script = try Self.resting(at: ExactDecimal(from), of: 100)
        try Self.set(&script) {
            $0.goal = .to(ExactDecimal(to))
            $0.length = .seconds(0.6)
            $0.curve = .spring(.settling(dampingRatio: 0.1, initialVelocity: 0))
        }
        var highest = 0
        var time = 1.0
        while script.engine.track(Self.name)?.run != nil {
            time += 1.0 / 240
            script.wait(until: time)
            guard script.engine.track(Self.name)?.run != nil else { break }
            let track = try #require(script.engine.track(Self.name))
            let reading = track.reading(at: script.now)
            let percent = try #require(reading.percent)
            highest = max(highest, percent)
            #expect(percent <= most && percent >= 0)
            #expect((reading.fraction ?? 2) < 1 || most == 100)
            #expect(String(decoding: reading.text, as: UTF8.self).hasSuffix(", \(percent)%"))
            #expect(track.progressDescriptor(at: script.now)?.accessible.hasPrefix("\(percent) percent") == true)
        }
        if to > from { #expect(highest >= to - 1) }
        #expect(try Self.reading(script).percent == to)
    }

    @Test func `a progress whose target exceeds its maximum shows more than 100 percent`() throws {
        var script = try Self.resting(at: 0, of: 100)
        try Self.set(&script) {
            $0.goal = .to(150)
            $0.length = .seconds(1)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 1.8)
        #expect(script.text("p", .progress) == "120 of 100, 120%")
    }
}
