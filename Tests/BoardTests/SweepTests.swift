// Pauses, resumptions and removals of all schedules, where they take several calls.

import Board
import RecurrenceRules
import Testing
import Tween

@Suite struct SweepTests {
    private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0).advanced(bySeconds: seconds) }

    /// Five schedules, due after 10, 20, 30, 40 and 50 seconds, of which one call takes two.
    private func script() throws -> EngineScript {
        var script = EngineScript(schedulesPerSweep: 2)
        for number in 1...5 {
            let definition = notifying("N") { $0.plan.first = .after(Double(number) * 10) }
            try script.apply(.schedule(schedule("s\(number)"), definition))
        }
        return script
    }

    private func remaining(_ script: EngineScript) -> [Double?] {
        (1...5).map { script.engine.schedule(schedule("s\($0)"))?.remaining }
    }

    private func due(_ script: EngineScript) -> [Double?] {
        (1...5).map { script.engine.schedule(schedule("s\($0)"))?.due.seconds(since: at(0)) }
    }

    @Test func `a pause of all holds everything as it was at its instant, whenever each is reached`() throws {
        var script = try script()
        script.wait(until: 4)
        try script.apply(.pauseAllSchedules)
        #expect(script.engine.isSweeping)
        #expect(remaining(script) == [6, 16, nil, nil, nil])
        script.wait(until: 100)
        #expect(!script.log.contains { $0.hasPrefix("fired") })
        #expect(script.engine.nextDue == nil)
        script.sweep()
        #expect(remaining(script) == [6, 16, 26, 36, 46])
    }

    /// All paused, and all resumed at an instant; none of that has been reached yet.
    private func resuming(at second: Double) throws -> EngineScript {
        var script = try script()
        try script.apply(.pauseAllSchedules)
        script.sweep()
        script.wait(until: second)
        try script.apply(.resumeAllSchedules)
        return script
    }

    @Test func `a resumption of all counts from its instant, whenever each is reached`() throws {
        var script = try resuming(at: 100)
        script.wait(until: 108)
        script.sweep()
        #expect(due(script) == [110, 120, 130, 140, 150])
        script.wait(until: 150)
        #expect(script.log.filter { $0.hasPrefix("fired") } == (1...5).map { "fired s\($0) 1" })
    }

    @Test func `one that is paused while all resume has run since all did`() throws {
        var script = try resuming(at: 100)
        script.wait(until: 103)
        try script.apply(.pauseSchedule(schedule("s5")))
        script.sweep()
        #expect(remaining(script) == [nil, nil, nil, nil, 47])
    }

    @Test func `one that is paused while all are being paused keeps what it had when all were`() throws {
        var script = try script()
        try script.apply(.pauseAllSchedules)
        script.wait(until: 3)
        try script.apply(.pauseSchedule(schedule("s5")))
        script.sweep()
        #expect(remaining(script) == [10, 20, 30, 40, 50])
        try script.apply(.resumeAllSchedules)
        script.sweep()
        #expect(remaining(script) == [nil, nil, nil, nil, 50])
    }

    @Test func `a second change to all begins where the first has ended`() throws {
        var script = try script()
        try script.apply(.pauseAllSchedules)
        script.wait(until: 7)
        try script.apply(.resumeAllSchedules)
        script.sweep()
        #expect(due(script) == [17, 27, 37, 47, 57])
    }

    @Test func `a removal of all leaves alone what is made after it`() throws {
        var script = try script()
        try script.apply(.removeAllSchedules)
        #expect(script.engine.pendingSchedules == 3)
        // One takes a slot that is free already, the other a new one.
        for id in ["new", "newer", "newest"] {
            try script.apply(.schedule(schedule(id), notifying("N") { $0.plan.first = .after(60) }))
        }
        script.sweep()
        #expect(script.engine.pendingSchedules == 3)
        #expect(script.log.filter { $0.hasPrefix("removed") } == (1...5).map { "removed s\($0) cancelled" })
    }

    @Test func `a removal that is called off leaves the rest alive`() throws {
        var script = try script()
        try script.apply(.removeAllSchedules)
        script.engine.cancelRemoval()
        script.sweep()
        script.wait(until: 50)
        #expect(script.log.filter { $0.hasPrefix("fired") } == (3...5).map { "fired s\($0) 1" })
    }

    @Test(arguments: [true, false])
    func `a restart amid a pause or resumption of all ends it as if nothing had been`(_ pauses: Bool) throws {
        var script = try script()
        script.wait(until: 4)
        if !pauses {
            try script.apply(.pauseAllSchedules)
            script.sweep()
            script.wait(until: 7)
        }
        try script.apply(pauses ? .pauseAllSchedules : .resumeAllSchedules)
        var again = Engine(
            configuration: script.engine.configuration, schedulePause: script.engine.schedulePause, trackCount: 0,
            scheduleCount: 5)
        again.adopt(script.engine.schedules.compactMap { $0 }.map { .schedule($0) }, at: at(9))
        script.sweep()
        #expect(again.schedules == script.engine.schedules)
        #expect(again.drainChanges().map(\.id) == ["s3", "s4", "s5"])
    }

    @Test func `what is set back to before a pause of all is held again`() throws {
        var script = try script()
        let before = try #require(script.engine.schedule(schedule("s3")))
        script.wait(until: 4)
        try script.apply(.pauseAllSchedules)
        script.sweep()
        script.engine.restore(schedule("s3"), .schedule(before), at: at(6))
        script.sweep()
        #expect(remaining(script) == [6, 16, 26, 36, 46])
    }

    @Test func `a clock that is set meanwhile changes no remaining time`() throws {
        var script = try script()
        try script.apply(.pauseAllSchedules)
        script.set(clockBy: -3_600)
        #expect(remaining(script) == [10, 20, 30, 40, 50])
        try script.apply(.resumeAllSchedules)
        script.set(clockBy: 7_200)
        #expect(due(script) == [10, 20, 30, 40, 50].map { 3_600 + $0 })
    }
}
