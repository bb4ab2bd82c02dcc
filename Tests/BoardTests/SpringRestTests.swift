// When a spring's motion is over: when the number is at rest, however few digits of it are shown.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct SpringRestTests {
    @Test(
        arguments: [
            ("1", 0.5), ("500", 0.5), ("100.00", 0.005), ("1234.50", 0.005), ("1000000.00", 0.005), ("5.000001", 5e-7),
        ],
        [0.2, 0.5, 1, 3])
    func `a spring with a duration is at rest after it, whatever digits are shown`(
        shown: (target: String, halfUnit: Double), dampingRatio: Double
    ) throws {
        for (repeats, seconds) in [(0.0, 0.5), (1, 1)] {
            var script = EngineScript()
            let goal = try #require(ExactDecimal(parsing: shown.target))
            try script.update("t") {
                $0.goal = .to(goal)
                $0.length = .seconds(0.5)
                $0.curve = .spring(.settling(dampingRatio: dampingRatio, initialVelocity: 0))
                $0.repeats = repeats
            }
            let track = try #require(script.engine.track(ticker("t")))
            let (motion, end) = (try #require(track.run?.motion), try #require(track.due))
            #expect(abs(end.seconds(since: script.now) - seconds) < 1e-6)
            // The number is there already: nothing jumps at the end.
            let last = motion.value(at: script.now.advanced(bySeconds: 0.499_999))
            #expect(abs(last - goal.double) <= shown.halfUnit * 1.001, "\(last)")
            script.wait(until: seconds + 1e-3)
            #expect(script.log == ["complete t#1 finished"])
        }
    }

    @Test(arguments: [(1_500.25, 1.0), (50.25, 1), (50.25, 0.4), (500.25, 0.7), (500, 1)])
    func `a spring with a duration that continues a motion is at rest after it at the latest`(
        target: Double, dampingRatio: Double
    ) throws {
        var script = EngineScript()
        try script.update("t") {
            $0.label = "0.00"
            $0.goal = .to(1_000)
            $0.length = .seconds(1)
            $0.curve = .easing(.linear)
        }
        script.wait(until: 0.5)
        let goal = try #require(ExactDecimal(target))
        try script.update("t") {
            $0.goal = .to(goal)
            $0.length = .seconds(0.5)
            $0.curve = .spring(.settling(dampingRatio: dampingRatio, initialVelocity: 0))
        }
        let motion = try #require(script.engine.track(ticker("t"))?.run?.motion)
        #expect(abs(motion.velocity(at: script.now) - 1_000) < 1)
        let end = try #require(motion.end).seconds(since: script.now)
        #expect(end <= 0.500_001 && end > 0.4, "\(end)")
    }

    /// The least that is seen of 1,000: a tenth of its number, a hundredth of a percent, half a pixel of its bar.
    @Test(arguments: [("{value} of {maximum}", nil, 0.05), ("{percent}%", 2, 0.05), ("{percent}%", nil, 0.5)])
    func `a progress's spring rests when value, percentage and bar no longer change`(
        label: String, decimals: Int?, half: Double
    ) throws {
        var script = EngineScript()
        let name = ResourceName(.progress, "p")
        var update = TrackUpdate()
        (update.goal, update.length) = (.to(try #require(ExactDecimal(parsing: "987.3"))), .seconds(0))
        (update.maximum, update.label, update.decimals) = (.value(1_000), label, decimals)
        try script.apply(.update(name, update))
        var spring = TrackUpdate()
        spring.goal = .to(try #require(ExactDecimal(parsing: "3.3")))
        spring.decimals = decimals
        spring.curve = .spring(.spring(try Spring(dampingRatio: 1.5, response: 0.4), initialVelocity: 0))
        try script.apply(.update(name, spring))
        let end = try #require(script.engine.track(name)?.due)
        let motion = try #require(script.engine.track(name)?.run?.motion)
        let last = abs(motion.value(at: end.advanced(byNanoseconds: -1)) - 3.3)
        #expect(abs(last - half) < half * 1e-6, "\(last)")
    }

    @Test func `a spring goes on after its text has stopped changing`() throws {
        var script = EngineScript()
        try likes(&script, Spring(dampingRatio: 1, response: 0.5))
        script.wait(until: 0.7)
        #expect(script.text("t") == "6 likes")
        let value = try #require(script.reading("t")?.value.double)
        #expect(value > 5.99 && value < 5.999)
        // (1 + wt) e^(-wt) = 0.001 at wt = 9.2334.
        script.wait(until: 0.735)
        #expect(script.log == ["complete t#1 finished", "complete t#2 finished"])
    }

    @Test func `a spring's overshoot of less than a digit is still played`() throws {
        var script = EngineScript()
        try likes(&script, Spring(duration: 0.5, bounce: 0.4))
        // At half a swing, π/(w √(1 - z²)), it is e^(-πz/√(1 - z²)) of its way too far.
        script.wait(until: 0.3125)
        #expect(abs(try #require(script.reading("t")?.value.double) - 6.094_78) < 1e-4)
    }

    @Test func `a spring retargeted to the present value swings through with its velocity`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(100)
            $0.length = .seconds(1)
        }
        script.wait(until: 0.5)
        let spring = try Spring(dampingRatio: 1, response: 0.5)
        try script.update("t") {
            $0.goal = .to(50)
            $0.curve = .spring(.spring(spring, initialVelocity: 0))
        }
        // Its travel is 100 a second over w = 4π: it is at rest within a thousandth of 7.96.
        script.wait(until: 1.2)
        #expect(script.log == ["complete t#1 superseded"])
        script.wait(until: 1.3)
        #expect(script.log == ["complete t#1 superseded", "complete t#2 finished"])
    }

    @Test(arguments: [
        // Each way takes the spring's duration, the delays come once.
        (0.0, true, Direction.normal, 1.0, "0"), (1, true, .normal, 2, "0"), (1, false, .normal, 1, "100"),
        (0, false, .reverse, 0.5, "0"), (0, true, .reverse, 1, "100"), (2, false, .alternate, 1.5, "100"),
    ])
    func `repeat, autoreverse, direction and delays apply to springs`(
        repeats: Double, autoreverse: Bool, direction: Direction, seconds: Double, text: String
    ) throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(100)
            $0.length = .seconds(0.5)
            $0.curve = .spring(.settling(dampingRatio: 0.5, initialVelocity: 0))
            ($0.delay, $0.endDelay) = (0.25, 0.25)
            ($0.repeats, $0.autoreverse, $0.direction) = (repeats, autoreverse, direction)
        }
        let end = try #require(script.engine.track(ticker("t"))?.due)
        #expect(abs(end.seconds(since: script.now) - seconds - 0.5) < 1e-3)
        script.wait(until: seconds + 0.501)
        #expect(script.log == ["complete t#1 finished"] && script.text("t") == text)
    }

    @Test func `a spring repeated forever has no end, and is rejected if it is undamped`() throws {
        var script = EngineScript()
        func swing(dampingRatio: Double) throws {
            let spring = try Spring(dampingRatio: dampingRatio, response: 0.5)
            try script.update("t") {
                $0.goal = .to(100)
                $0.curve = .spring(.spring(spring, initialVelocity: 0))
                ($0.repeats, $0.autoreverse) = (.infinity, true)
            }
        }
        #expect(throws: CommandError.self) { try swing(dampingRatio: 0) }
        try swing(dampingRatio: 0.5)
        script.wait(until: 1_000)
        #expect(script.log.isEmpty && script.engine.track(ticker("t"))?.due == nil)
        #expect(script.reading("t")?.value.double != 100)
    }

    @Test(arguments: [0.0, 1e-9]) func `a spring that never comes to rest is refused`(dampingRatio: Double) throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(1) }
        let spring = try Spring(dampingRatio: dampingRatio, response: 0.5)
        let error = #expect(throws: CommandError.self) {
            try script.update("t") {
                $0.goal = .to(100)
                $0.curve = .spring(.spring(spring, initialVelocity: 0))
            }
        }
        guard case .invalid(field: "spring", _)? = error else { return #expect(Bool(false), "it names the field") }
        #expect(script.log.isEmpty)
    }

    /// One like more than five, by a spring.
    private func likes(_ script: inout EngineScript, _ spring: Spring) throws {
        try script.update("t") {
            $0.label = "5 likes"
            $0.goal = .to(5)
            $0.animated = false
        }
        try script.update("t") {
            $0.goal = .by(1)
            $0.curve = .spring(.spring(spring, initialVelocity: 0))
        }
    }
}
