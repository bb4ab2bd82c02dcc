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

    @Test func `pausing all schedules keeps each one's time left, whenever the sweep reaches it`() throws {
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

    @Test func `resuming all schedules counts from the command, whenever the sweep reaches each`() throws {
        var script = try resuming(at: 100)
        script.wait(until: 108)
        script.sweep()
        #expect(due(script) == [110, 120, 130, 140, 150])
        script.wait(until: 150)
        #expect(script.log.filter { $0.hasPrefix("fired") } == (1...5).map { "fired s\($0) 1" })
    }

    @Test func `a schedule paused during a resume-all sweep has run since that resume`() throws {
        var script = try resuming(at: 100)
        script.wait(until: 103)
        try script.apply(.pauseSchedule(schedule("s5")))
        script.sweep()
        #expect(remaining(script) == [nil, nil, nil, nil, 47])
    }

    @Test func `a schedule paused during a pause-all sweep keeps its time left and stays paused`() throws {
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

    @Test func `resume-all during a pause-all sweep applies to every schedule`() throws {
        var script = try script()
        try script.apply(.pauseAllSchedules)
        script.wait(until: 7)
        try script.apply(.resumeAllSchedules)
        script.sweep()
        #expect(due(script) == [17, 27, 37, 47, 57])
    }

    @Test func `remove-all spares schedules created after it`() throws {
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

    @Test func `a cancelled remove-all sweep keeps the remaining schedules`() throws {
        var script = try script()
        try script.apply(.removeAllSchedules)
        script.engine.cancelRemoval()
        script.sweep()
        script.wait(until: 50)
        #expect(script.log.filter { $0.hasPrefix("fired") } == (3...5).map { "fired s\($0) 1" })
    }

    @Test(arguments: [true, false])
    func `a restart during a pause-all or resume-all sweep ends in the same state`(_ pauses: Bool) throws {
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

    @Test func `a schedule rolled back to before pause-all is paused again`() throws {
        var script = try script()
        let before = try #require(script.engine.schedule(schedule("s3")))
        script.wait(until: 4)
        try script.apply(.pauseAllSchedules)
        script.sweep()
        script.engine.restore(schedule("s3"), .schedule(before), at: at(6))
        script.sweep()
        #expect(remaining(script) == [6, 16, 26, 36, 46])
    }

    @Test func `setting the clock during a sweep changes no time left`() throws {
        var script = try script()
        try script.apply(.pauseAllSchedules)
        script.set(clockBy: -3_600)
        #expect(remaining(script) == [10, 20, 30, 40, 50])
        try script.apply(.resumeAllSchedules)
        script.set(clockBy: 7_200)
        #expect(due(script) == [10, 20, 30, 40, 50].map { 3_600 + $0 })
    }
}
