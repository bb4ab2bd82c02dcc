// What a schedule with something to show does after its last firing: it stays for a while, and then leaves the list.

import Board
import RecurrenceRules
import Testing
import Tween

@Suite struct CountdownEndTests {
    /// A countdown that stays for ten seconds.
    private func countdown(_ change: (inout ScheduleDefinition) -> Void = { _ in }) -> ScheduleDefinition {
        notifying("N") {
            $0.plan.first = .after(5)
            $0.ended = "over"
            $0.timeToLive = 10
            change(&$0)
        }
    }

    private func state(_ script: EngineScript) -> (isEnded: Bool, remaining: Double)? {
        script.engine.schedule(schedule("s")).map { ($0.isEnded, $0.remaining(at: script.now)) }
    }

    @Test func `a countdown stays for its time to live after it has fired`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), countdown()))
        script.wait(until: 5)
        #expect(try #require(state(script)) == (true, 0))
        #expect(script.engine.schedule(schedule("s"))?.revision == 2 && script.engine.pendingSchedules == 1)
        #expect(script.engine.schedule(schedule("s"))?.upcoming(3, at: script.now) == [])
        script.wait(until: 14.9)
        #expect(script.log == ["scheduled s", "fired s 1", "notification N"])
        script.wait(until: 15)
        #expect(script.log.last == "removed s completed" && script.engine.pendingSchedules == 0)
    }

    @Test func `the same definition starts an ended countdown again, by a client or an action`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), countdown()))
        script.wait(until: 6)
        let again = try script.apply(.schedule(schedule("s"), countdown()))
        #expect(!again.unchanged && !again.created && again.revision == 3)
        #expect(try #require(state(script)) == (false, 5))
        script.wait(until: 12)
        let actions = ActionList(actions: [.command(.schedule(schedule("s"), countdown()))], source: [])
        var starter = ScheduleDefinition(actions: actions, source: [])
        starter.plan.first = .after(0)
        try script.apply(.schedule(schedule("starter"), starter))
        script.wait(until: 12)
        #expect(state(script)?.isEnded == false)
        script.wait(until: 17.1)
        script.wait(until: 100)
        #expect(script.log.filter { $0.hasPrefix("fired s ") }.count == 3)
        #expect(script.log.filter { $0.hasPrefix("removed s ") } == ["removed s completed"])
    }

    @Test func `a repeating countdown ends with its last firing`() throws {
        var script = EngineScript()
        let twice = countdown {
            $0.plan.recurrence = .interval(2)
            $0.plan.count = 2
        }
        try script.apply(.schedule(schedule("s"), twice))
        script.wait(until: 5)
        #expect(state(script)?.isEnded == false)
        script.wait(until: 7)
        #expect(state(script)?.isEnded == true)
        script.wait(until: 17)
        #expect(script.log.suffix(3) == ["fired s 2", "notification N", "removed s completed"])
    }

    @Test func `a countdown that skips a missed firing ends too, and runs no action`() throws {
        var script = EngineScript()
        let dated = countdown {
            $0.plan.first = .at(Instant(nanoseconds: 5_000_000_000))
            $0.plan.missed = .skip
        }
        try script.apply(.schedule(schedule("s"), dated))
        try script.apply(.pauseSchedule(schedule("s")))
        script.wait(until: 8)
        try script.apply(.resumeSchedule(schedule("s")))
        #expect(state(script)?.isEnded == true && script.log.last == "skipped s")
        script.wait(until: 18)
        #expect(script.log.suffix(2) == ["skipped s", "removed s completed"])
    }

    @Test func `an ended countdown can't be paused, and its time to live keeps running`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), countdown()))
        script.wait(until: 5)
        let ended = try #require(script.engine.schedule(schedule("s")))
        try script.apply(.pauseSchedule(schedule("s")))
        #expect(script.engine.schedule(schedule("s")) == ended && !script.engine.isHeld(ended))
        try script.apply(.pauseAllSchedules)
        script.sweep()
        let kept = try #require(script.engine.schedule(schedule("s")))
        #expect(!script.engine.isHeld(kept) && kept.due == ended.due)
        script.wait(until: 20)
        #expect(script.engine.pendingSchedules == 1, "while all are paused, none is removed")
        try script.apply(.resumeAllSchedules)
        script.wait(until: 20)
        #expect(script.log.last == "removed s completed")
    }

    @Test func `cancelling removes an ended countdown at once`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), countdown()))
        script.wait(until: 5)
        try script.apply(.remove(schedule("s")))
        #expect(script.log.last == "removed s cancelled")
        script.wait(until: 100)
        #expect(script.log.last == "removed s cancelled")
    }

    @Test func `an action may delete the countdown that runs it`() throws {
        var script = EngineScript()
        let actions = ActionList(actions: [.command(.remove(schedule("s")))], source: [])
        var definition = ScheduleDefinition(actions: actions, source: [])
        definition.plan.first = .after(5)
        definition.timeToLive = 10
        try script.apply(.schedule(schedule("s"), definition))
        script.wait(until: 100)
        #expect(script.log == ["scheduled s", "fired s 1", "removed s cancelled"])
    }

    @Test(arguments: [3_600.0, -3_600]) func `setting the clock does not change an ended countdown's time to live`(
        seconds: Double
    ) throws {
        var script = EngineScript()
        script.wait(until: 10_000)
        try script.apply(.schedule(schedule("s"), countdown { $0.plan.first = .at(script.now) }))
        script.wait(until: 10_000)
        #expect(state(script)?.isEnded == true)
        script.set(clockBy: seconds)
        script.wait(until: 10_009 + seconds)
        #expect(state(script)?.isEnded == true)
        script.wait(until: 10_010 + seconds)
        #expect(script.log.last == "removed s completed")
    }

    @Test func `after an outage a countdown stays for its time to live from its late firing`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), countdown()))
        let stored = try #require(script.engine.schedule(schedule("s")))
        var later = EngineScript()
        later.wait(until: 1_000)
        later.engine.adopt([.schedule(stored)], at: later.now)
        later.wait(until: 1_009)
        let ended = try #require(later.engine.schedule(schedule("s")))
        #expect(ended.isEnded)
        var last = EngineScript()
        last.wait(until: 2_000)
        last.engine.adopt([.schedule(ended)], at: last.now)
        last.wait(until: 2_000)
        #expect(last.log == ["removed s completed"])
    }
}
