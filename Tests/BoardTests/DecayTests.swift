// Updates that let a number run out.

import Board
import Labels
import Testing
import Tween

@Suite struct DecayTests {
    private func field(_ body: () throws -> Void) -> String? {
        do { try body() } catch CommandError.invalid(let field, _) { return field } catch {}
        return nil
    }

    @Test func `a decay comes to rest where its velocity takes it, rounded to the shown digits`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.label = "12.50 km"
            $0.decimals = 2
            $0.goal = .decay(TrackUpdate.Decay(velocity: 10.123, timeConstant: 0.5))
        }
        #expect(script.engine.track(ticker("t"))?.target == ExactDecimal(parsing: "17.56"))
        #expect(abs((script.engine.track(ticker("t"))?.run?.motion.velocity(at: script.now) ?? 0) - 10.123) < 1e-9)
        script.wait(until: 0.5)
        #expect(abs((script.reading("t")?.value.double ?? 0) - (17.56 - 5.06 * 0.367_879)) < 2e-3)
        script.wait(until: 9)
        #expect(script.text("t") == "17.56 km" && script.log == ["complete t#1 finished"])
    }

    @Test(arguments: [("5", "20", "25"), ("5.00", "20.0", "25.00"), ("5", "-20", "-15"), ("0.5", "0.04", "0.5")])
    func `a decay keeps the decimals of the number it starts from`(label: String, way: String, text: String) throws {
        var script = EngineScript()
        let velocity = try #require(Double(way))
        try script.update("t") {
            $0.label = label
            $0.goal = .decay(TrackUpdate.Decay(velocity: velocity, timeConstant: 1))
        }
        script.wait(until: 99)
        #expect(script.text("t") == text)
    }

    @Test func `a decay without a velocity continues the motion's present velocity`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(100)
            $0.length = .seconds(1)
        }
        script.wait(until: 0.5)
        try script.update("t") { $0.goal = .decay(TrackUpdate.Decay(timeConstant: 0.2)) }
        let track = try #require(script.engine.track(ticker("t")))
        #expect(track.target == 70)
        #expect(track.run?.motion.value(at: script.now) == 50)
        #expect(abs((track.run?.motion.velocity(at: script.now) ?? 0) - 100) < 1e-9)
        // From rest it stays.
        script.wait(until: 99)
        try script.update("t") { $0.goal = .decay(TrackUpdate.Decay()) }
        #expect(script.text("t") == "70" && script.engine.track(ticker("t"))?.target == 70)
    }

    @Test func `a decay with replace or from starts without a velocity`() throws {
        for change in [{ $0.interruption = .replace }, { $0.from = 20 }] as [(inout TrackUpdate) -> Void] {
            var script = EngineScript()
            try script.update("t") { $0.goal = .to(100) }
            script.wait(until: 0.5)
            try script.update("t") {
                $0.goal = .decay(TrackUpdate.Decay())
                change(&$0)
            }
            let target = try #require(script.engine.track(ticker("t"))?.target)
            #expect(target == 25 || target == 20)
        }
    }

    @Test func `a decay stops at its bounds, and a number outside them comes back`() throws {
        var script = EngineScript()
        for (start, end) in [(60 as ExactDecimal, 100 as ExactDecimal), (100, 100), (500, 100)] {
            try script.update("t") {
                $0.from = start
                $0.goal = .decay(TrackUpdate.Decay(velocity: 800, timeConstant: 1, minimum: 0, maximum: 100))
            }
            #expect(script.engine.track(ticker("t"))?.target == end)
        }
        try script.update("t") {
            $0.from = 60
            $0.goal = .decay(TrackUpdate.Decay(velocity: 800, timeConstant: 1, minimum: 0, maximum: 100))
        }
        for step in 1...100 {
            script.wait(until: Double(step) / 100)
            #expect((60...100).contains(script.reading("t")?.value.double ?? 0))
        }
        #expect(script.text("t") == "100")
        try script.update("u") {
            $0.label = "$12.50"
            $0.goal = .decay(TrackUpdate.Decay(velocity: 800, maximum: 100))
        }
        #expect(script.text("u") == "$12.50")
        script.wait(until: 99)
        #expect(script.text("u") == "$100.00")
    }

    @Test func `a decay ignores timing set by PUT, and cannot be queued`() throws {
        var script = EngineScript()
        var definition = TrackUpdate()
        (definition.curve, definition.length, definition.repeats) = (.easing(.ease), .seconds(9), .infinity)
        definition.autoreverse = true
        try script.apply(.define(ticker("t"), definition))
        try script.update("t") { $0.goal = .decay(TrackUpdate.Decay(velocity: 100)) }
        let motion = try #require(script.engine.track(ticker("t"))?.run?.motion)
        #expect(motion.course.cycles == .once && motion.endTime < 3)
        #expect(
            field {
                try script.update("t") {
                    $0.goal = .decay(TrackUpdate.Decay(velocity: 50))
                    $0.interruption = .queue
                }
            } == "decay")
        #expect(field { try script.update("u") { $0.goal = .decay(TrackUpdate.Decay(velocity: 1e300)) } } == "decay")
        #expect(script.engine.track(ticker("u")) == nil)
    }
}
