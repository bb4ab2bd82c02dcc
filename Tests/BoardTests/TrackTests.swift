// Tickers and progresses: updates, interruptions, playback, completions.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct TrackTests {
    @Test func `a new ticker starts at the number in its label and ends on the target exactly`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.label = "Temperature: 13F"
            $0.goal = .to(250)
        }
        #expect(script.text("t") == "Temperature: 13F")
        script.wait(until: 1)
        #expect(script.text("t") == "Temperature: 132F")
        script.wait(until: 2)
        #expect(script.text("t") == "Temperature: 250F")
        #expect(script.reading("t")?.value == .exact(250))
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test func `decimals of the target are padded from the first frame on`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.label = "5"
            $0.goal = .to(ExactDecimal(parsing: "7.25") ?? 0)
        }
        #expect(script.text("t") == "5.00")
    }

    @Test func `an update in mid-flight goes on from the unrounded value and cuts the first motion off`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 0.505)
        let before = script.reading("t")?.value.double
        try script.update("t") { $0.goal = .to(0) }
        #expect(script.reading("t")?.value.double == before)
        #expect(script.log == ["complete t#1 superseded"])
        script.wait(until: 10)
        #expect(script.log == ["complete t#1 superseded", "complete t#2 finished"])
        #expect(script.text("t") == "0")
    }

    @Test func `an update equal to the running motion changes nothing`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 1)
        let acceptance = try script.update("t") { $0.goal = .to(100) }
        #expect(acceptance.unchanged)
        #expect(acceptance.animation == 1)
        script.wait(until: 2)
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test(arguments: [0, 1]) func `equal ends and zero durations complete at once`(length: Int) throws {
        var script = EngineScript()
        try script.update("t") {
            $0.label = "5"
            $0.goal = .to(length == 0 ? 9 : 5)
            if length == 0 { $0.length = .seconds(0) }
        }
        #expect(script.log == ["complete t#1 finished"])
        #expect(script.text("t") == (length == 0 ? "9" : "5"))
    }

    @Test func `by adds to the target, not to what is shown`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(10) }
        script.wait(until: 1)
        try script.update("t") { $0.goal = .by(5) }
        script.wait(until: 10)
        #expect(script.text("t") == "15")
    }

    @Test func `sums by decimal strings are exact`() throws {
        var script = EngineScript()
        for _ in 0..<3 {
            try script.update("t") {
                $0.goal = .by(ExactDecimal(parsing: "0.1") ?? 0)
                $0.animated = false
            }
        }
        #expect(script.text("t") == "0.3")
    }

    @Test func `a queued update waits for the running one`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(10) }
        let queued = try script.update("t") {
            $0.goal = .by(10)
            $0.interruption = .queue
        }
        #expect(script.text("t") == "0")
        script.wait(until: 3)
        #expect(script.text("t") == "15")
        script.wait(until: 4)
        #expect(script.log == ["complete t#1 finished", "complete t#\(queued.animation ?? 0) finished"])
        #expect(script.text("t") == "20")
    }

    @Test func `the queue is bounded and a full one changes nothing`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(10) }
        for _ in 0..<Track.maximumWaiting {
            try script.update("t") {
                $0.goal = .by(1)
                $0.interruption = .queue
            }
        }
        let before = script.engine.track(ticker("t"))
        #expect(throws: CommandError.queueFull(waiting: Track.maximumWaiting)) {
            try script.update("t") {
                $0.goal = .by(1)
                $0.interruption = .queue
            }
        }
        #expect(script.engine.track(ticker("t")) == before)
    }

    @Test func `reject refuses while a motion runs`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(10) }
        #expect(throws: CommandError.running(ticker("t"))) {
            try script.update("t") {
                $0.goal = .to(20)
                $0.interruption = .reject
            }
        }
        script.wait(until: 2)
        #expect(script.text("t") == "10")
    }

    @Test func `replace starts from rest where it is`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 1)
        try script.update("t") {
            $0.goal = .to(0)
            $0.interruption = .replace
        }
        script.wait(until: 2)
        #expect(script.reading("t")?.value.double == 25)
    }

    @Test func `pause freezes and resume keeps the remaining time`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(100) }
        script.wait(until: 0.5)
        try script.apply(.play(ticker("t"), .pause))
        script.wait(until: 100)
        #expect(script.text("t") == "25")
        try script.apply(.play(ticker("t"), .resume))
        script.wait(until: 101)
        #expect(script.text("t") == "75")
        script.wait(until: 101.5)
        #expect(script.log == ["paused t", "resumed t", "complete t#1 finished"])
    }

    @Test func `cancel stops where it is and finish jumps to the end`() throws {
        var script = EngineScript()
        try script.update("a") { $0.goal = .to(100) }
        try script.update("b") { $0.goal = .to(100) }
        script.wait(until: 0.5)
        try script.apply(.play(ticker("a"), .cancel))
        try script.apply(.play(ticker("b"), .finish))
        #expect(script.text("a") == "25")
        #expect(script.text("b") == "100")
        #expect(script.log == ["complete a#1 cancelled", "complete b#1 finished"])
    }

    @Test func `seek goes to a share of the motion`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(100) }
        try script.apply(.play(ticker("t"), .seekFraction(0.5)))
        #expect(script.text("t") == "50")
        script.wait(until: 1)
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test func `a cycle with autoreverse ends on its start, half a repeat more on its target`() throws {
        var script = EngineScript()
        for (id, repeats) in [("pair", 0.0), ("half", 0.5)] {
            try script.update(id) {
                $0.goal = .to(10)
                $0.length = .seconds(1)
                $0.autoreverse = true
                $0.repeats = repeats
            }
        }
        script.wait(until: 1)
        #expect(script.text("pair") == "10")
        script.wait(until: 3)
        #expect(script.text("pair") == "0")
        #expect(script.text("half") == "10")
    }

    @Test func `then may start the same ticker again without looping within one tick`() throws {
        var script = EngineScript()
        var again = TrackUpdate()
        again.goal = .by(1)
        again.length = .seconds(0)
        // Each completion adds one; the chain is as deep as it is written.
        for _ in 0..<3 {
            var outer = TrackUpdate()
            outer.goal = .by(1)
            outer.length = .seconds(0)
            outer.then = ActionList(actions: [.update(ticker("t"), again)], source: [])
            again = outer
        }
        try script.apply(.update(ticker("t"), again))
        #expect(script.text("t") == "2")
        script.wait(until: 1)
        #expect(script.text("t") == "4")
        #expect(script.log.count == 4)
    }

    @Test func `removal completes what runs and what waits`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(100) }
        try script.update("t") {
            $0.goal = .to(5)
            $0.interruption = .queue
        }
        try script.apply(.remove(ticker("t")))
        #expect(script.log == ["complete t#1 removed", "complete t#2 removed", "removed t deleted"])
        #expect(script.engine.track(ticker("t")) == nil)
        #expect(throws: CommandError.notFound(ticker("t"))) { try script.apply(.remove(ticker("t"))) }
    }

    @Test func `time to live counts from the last update, end of motion or subscriber`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(1)
            $0.timeToLive = 5
        }
        script.engine.setHasSubscribers(true, slot: 0, at: script.now)
        script.wait(until: 50)
        #expect(script.text("t") == "1")
        script.engine.setHasSubscribers(false, slot: 0, at: script.now)
        script.wait(until: 54.9)
        #expect(script.text("t") == "1")
        script.wait(until: 55)
        #expect(script.text("t") == nil)
    }

    @Test func `a revision that has passed is refused`() throws {
        var script = EngineScript()
        let first = try script.update("t") { $0.goal = .to(1) }
        try script.update("t") { $0.goal = .to(2) }
        var update = TrackUpdate()
        update.goal = .to(3)
        #expect(throws: CommandError.self) {
            try script.apply(.update(ticker("t"), update), expecting: first.revision)
        }
        script.wait(until: 9)
        #expect(script.text("t") == "2")
    }

    @Test func `defining a ticker moves nothing and gives updates their defaults`() throws {
        var script = EngineScript()
        var definition = TrackUpdate()
        definition.label = "0 visitors"
        definition.length = .seconds(1)
        let made = try script.apply(.define(ticker("v"), definition))
        #expect(made.created)
        #expect(script.log.isEmpty)
        try script.update("v") { $0.goal = .to(10) }
        script.wait(until: 0.5)
        #expect(script.text("v") == "5 visitors")
    }

    @Test func `only what moves and is watched is sampled`() throws {
        var script = EngineScript()
        try script.update("t") { $0.goal = .to(100) }
        #expect(script.engine.sampled.isEmpty)
        script.engine.setWatched(true, slot: 0)
        #expect(script.engine.sampled == [0])
        try script.apply(.play(ticker("t"), .pause))
        #expect(script.engine.sampled.isEmpty)
        try script.apply(.play(ticker("t"), .resume))
        script.wait(until: 2)
        #expect(script.engine.sampled.isEmpty)
    }
}
