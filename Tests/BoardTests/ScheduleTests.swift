// Schedules: firing, repeating, pausing one and all.

import Board
import Labels
import RecurrenceRules
import Testing
import Tween

@Suite struct ScheduleTests {
    private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0).advanced(bySeconds: seconds) }

    @Test func `a schedule without a recurrence fires once and leaves the list`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), notifying("N") { $0.plan.first = .after(2) }))
        script.wait(until: 1.999)
        #expect(script.log == ["scheduled s"])
        script.wait(until: 2)
        #expect(script.log == ["scheduled s", "fired s 1", "notification N", "removed s completed"])
        #expect(script.engine.pendingSchedules == 0)
    }

    @Test func `a date in the past fires at once`() throws {
        var script = EngineScript()
        script.wait(until: 10)
        try script.apply(.schedule(schedule("s"), notifying("N") { $0.plan.first = .at(at(3)) }))
        script.wait(until: 10)
        #expect(script.log.contains("fired s 1"))
    }

    @Test func `the list is in the order of due dates`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("a"), notifying("N") { $0.plan.first = .after(5) }))
        try script.apply(.schedule(schedule("b"), notifying("N") { $0.plan.first = .after(2) }))
        #expect(script.engine.schedules(after: nil, limit: 9).map(\.name.id) == ["b", "a"])
    }

    @Test func `the same id replaces the schedule whole`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("a"), notifying("old") { $0.plan.first = .after(5) }))
        try script.apply(.schedule(schedule("a"), notifying("new") { $0.plan.first = .after(2) }))
        script.wait(until: 9)
        #expect(script.log == ["scheduled a", "scheduled a", "fired a 1", "notification new", "removed a completed"])
    }

    @Test func `the same definition again changes nothing while it waits, and starts anew after its end`() throws {
        var script = EngineScript()
        script.wait(until: 10)
        let definition = notifying("N") {
            $0.plan.first = .at(at(3))
            $0.plan.recurrence = .interval(10)
            $0.plan.count = 2
        }
        let made = try script.apply(.schedule(schedule("s"), definition))
        script.wait(until: 10)
        for second in 11...12 {
            script.wait(until: Double(second))
            let again = try script.apply(.schedule(schedule("s"), definition), expecting: made.revision + 1)
            #expect(again.unchanged && !again.created && again.revision == made.revision + 1)
        }
        #expect(script.log == ["scheduled s", "fired s 1", "notification N"])
        script.wait(until: 13)
        #expect(script.log.last == "removed s completed")
        let anew = try script.apply(.schedule(schedule("s"), definition))
        script.wait(until: 13)
        #expect(anew.created && script.log.suffix(3) == ["scheduled s", "fired s 1", "notification N"])
    }

    @Test func `an interval sent again before it is due still fires, and stays paused if it was`() throws {
        var script = EngineScript()
        let definition = notifying("N") { $0.plan.recurrence = .interval(2) }
        for second in 0...6 {
            script.wait(until: Double(second))
            try script.apply(.schedule(schedule("s"), definition))
        }
        #expect(script.log.filter { $0.hasPrefix("fired") } == ["fired s 1", "fired s 2", "fired s 3"])
        try script.apply(.pauseSchedule(schedule("s")))
        let paused = try #require(script.engine.schedule(schedule("s")))
        try script.apply(.schedule(schedule("s"), definition))
        #expect(script.engine.schedule(schedule("s")) == paused && paused.isPaused)
        try script.apply(.schedule(schedule("s"), notifying("other") { $0.plan.recurrence = .interval(2) }))
        #expect(script.engine.schedule(schedule("s"))?.isPaused == false)
    }

    @Test func `an action that creates a schedule equal to a waiting one changes nothing`() throws {
        var script = EngineScript()
        let inner = notifying("late") { $0.plan.first = .after(5) }
        let actions = ActionList(actions: [.command(.schedule(schedule("inner"), inner))], source: [])
        var outer = ScheduleDefinition(actions: actions, source: [])
        outer.plan.recurrence = .interval(2)
        try script.apply(.schedule(schedule("outer"), outer))
        for second in 1...7 { script.wait(until: Double(second)) }
        #expect(script.log.filter { $0 == "notification late" }.count == 1)
    }

    @Test func `an interval repeats on elapsed time, as often as count says`() throws {
        var script = EngineScript()
        try script.apply(
            .schedule(
                schedule("s"),
                notifying("N") {
                    $0.plan.recurrence = .interval(2)
                    $0.plan.count = 3
                }))
        for second in 1...10 { script.wait(until: Double(second)) }
        #expect(script.log.filter { $0.hasPrefix("fired") } == ["fired s 1", "fired s 2", "fired s 3"])
        #expect(script.log.last == "removed s completed")
    }

    @Test func `an interval several periods late fires once and is next due after now`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), notifying("N") { $0.plan.recurrence = .interval(0.01) }))
        script.wait(until: 0.01)
        // 0.29 / 0.01 is a little less than 29.
        script.wait(until: 0.3)
        #expect(script.log.filter { $0.hasPrefix("fired") } == ["fired s 1", "fired s 2"])
        #expect(script.engine.nextDue == at(0.31))
    }

    @Test func `an interval paused over three periods keeps its remaining time and fires once`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), notifying("N") { $0.plan.recurrence = .interval(2) }))
        script.wait(until: 1)
        try script.apply(.pauseSchedule(schedule("s")))
        script.wait(until: 8)
        #expect(!script.log.contains("fired s 1"))
        try script.apply(.resumeSchedule(schedule("s")))
        script.wait(until: 8.5)
        #expect(!script.log.contains("fired s 1"))
        script.wait(until: 9)
        #expect(script.log.filter { $0.hasPrefix("fired") } == ["fired s 1"])
    }

    @Test func `a date that passes while all schedules are paused fires at the resume`() throws {
        var script = EngineScript()
        try script.apply(.schedule(schedule("s"), notifying("N") { $0.plan.first = .at(at(3)) }))
        try script.apply(.pauseAllSchedules)
        script.wait(until: 7)
        #expect(!script.log.contains("fired s 1"))
        try script.apply(.resumeAllSchedules)
        script.wait(until: 7)
        #expect(script.log.contains("fired s 1"))
    }

    @Test func `a pause moves no interval that has a first date`() throws {
        var script = EngineScript()
        script.wait(until: 5)
        try script.apply(
            .schedule(
                schedule("s"),
                notifying("N") {
                    $0.plan.first = .at(at(2))
                    $0.plan.recurrence = .interval(10)
                }))
        script.wait(until: 5)
        try script.apply(.pauseSchedule(schedule("s")))
        script.wait(until: 15)
        try script.apply(.resumeSchedule(schedule("s")))
        script.wait(until: 15)
        #expect(script.log.filter { $0.hasPrefix("fired") } == ["fired s 1", "fired s 2"])
        #expect(script.engine.nextDue == at(22))
    }

    @Test func `a date with missed: skip that passes during a pause is skipped at the resume`() throws {
        var script = EngineScript()
        try script.apply(
            .schedule(
                schedule("s"),
                notifying("N") {
                    $0.plan.first = .at(at(3))
                    $0.plan.missed = .skip
                }))
        try script.apply(.pauseAllSchedules)
        script.wait(until: 7)
        try script.apply(.resumeAllSchedules)
        script.wait(until: 8)
        #expect(script.log.suffix(2) == ["skipped s", "removed s skipped"])
        #expect(!script.log.contains("fired s 1"))
    }

    @Test func `a repeating schedule's skipped event names the missed date and the next`() throws {
        var script = EngineScript()
        try script.apply(
            .schedule(
                schedule("s"),
                notifying("N") {
                    $0.plan.first = .at(at(3))
                    $0.plan.recurrence = .interval(10)
                    $0.plan.missed = .skip
                    $0.plan.until = at(20)
                }))
        try script.apply(.pauseSchedule(schedule("s")))
        script.wait(until: 7)
        try script.apply(.resumeSchedule(schedule("s")))
        #expect(script.log.last == "skipped s, goes on")
        guard case .skipped(_, let due, let next)? = script.events.last else { return }
        #expect(due == at(3) && next == at(13))
        script.wait(until: 14)
        // The date after it lies behind `until`: it ended with a firing.
        #expect(script.log.suffix(3) == ["fired s 1", "notification N", "removed s completed"])
    }

    @Test(arguments: [(20.0, ["skipped s", "removed s skipped"]), (7.0, ["skipped s, goes on"])])
    func `firings missed while the server was down are reported as skipped at its start`(
        start: Double, expected: [String]
    ) throws {
        var script = EngineScript()
        try script.apply(
            .schedule(
                schedule("s"),
                notifying("N") {
                    $0.plan.first = .at(at(3))
                    $0.plan.recurrence = .interval(10)
                    $0.plan.missed = .skip
                    $0.plan.until = at(15)
                }))
        let kept = try #require(script.engine.schedule(schedule("s")))
        var again = EngineScript()
        again.wait(until: start)
        again.engine.adopt([.schedule(kept)], at: again.now)
        again.wait(until: start)
        #expect(again.log == expected)
        #expect(again.engine.drainChanges() == [schedule("s")], "the store is told")
    }

    @Test func `a schedule created while all are paused waits its whole interval after the resume`() throws {
        var script = EngineScript()
        try script.apply(.pauseAllSchedules)
        try script.apply(.schedule(schedule("s"), notifying("N") { $0.plan.first = .after(2) }))
        script.wait(until: 10)
        try script.apply(.resumeAllSchedules)
        script.wait(until: 11.9)
        #expect(!script.log.contains("fired s 1"))
        script.wait(until: 12)
        #expect(script.log.contains("fired s 1"))
    }

    @Test func `many schedules due at one instant fire over several bounded advances`() throws {
        // Each of these is removed as well.
        var script = EngineScript(firings: 14)
        for index in 0..<25 {
            try script.apply(.schedule(schedule("s\(index)"), notifying("N") { $0.plan.first = .after(1) }))
        }
        _ = script.engine.drainEvents()
        let due = at(1)
        let rounds = (0..<3).map { _ in script.engine.advance(to: due) }
        #expect(rounds == [false, false, true])
        #expect(script.engine.pendingSchedules == 0)
    }

    @Test func `an action's motion starts at the due instant, not at the late tick`() throws {
        var script = EngineScript()
        var update = TrackUpdate()
        update.goal = .to(100)
        update.length = .seconds(1)
        let actions = ActionList(actions: [.update(ticker("t"), update)], source: [])
        var definition = ScheduleDefinition(actions: actions, source: [])
        definition.plan.first = .after(2)
        try script.apply(.schedule(schedule("s"), definition))
        script.wait(until: 2.1)
        #expect(script.text("t") == "10")
    }

    @Test(arguments: [3_600, -3_600]) func `setting the clock shifts motions and intervals and leaves dates`(hour: Int)
        throws
    {
        var script = EngineScript()
        script.wait(until: 10_000)
        try script.update("t") {
            $0.goal = .to(100)
            $0.length = .seconds(10)
        }
        try script.apply(.schedule(schedule("in"), notifying("in") { $0.plan.first = .after(5) }))
        let date = script.now.advanced(bySeconds: 60)
        try script.apply(.schedule(schedule("at"), notifying("at") { $0.plan.first = .at(date) }))
        script.wait(until: 10_002)
        let value = script.reading("t")?.value
        #expect(script.engine.datedScheduleCount == 1)
        script.set(clockBy: Double(hour))
        script.wait(until: 10_002 + Double(hour))
        #expect(script.reading("t")?.value == value)
        let inTwo = try #require(script.engine.schedule(schedule("in")))
        #expect(inTwo.remaining(at: script.now) == 3)
        // Forward, its date has passed and it has fired; back, it has an hour more to wait.
        #expect(script.engine.schedule(schedule("at"))?.due == (hour > 0 ? nil : date))
        #expect(script.engine.datedScheduleCount == (hour > 0 ? 0 : 1))
    }

    /// Every ten seconds, counted from the anchor.
    private func tens(_ calls: @escaping @Sendable () -> Void = {}) -> Recurrence {
        .calendar(
            CalendarRecurrence(text: "tens") { instant, anchor in
                calls()
                let passed = max(0, (instant.seconds(since: anchor) / 10).rounded(.down))
                return anchor.advanced(bySeconds: (passed + 1) * 10)
            })
    }

    @Test func `upcoming firings are listed as far as count and until allow`() throws {
        var script = EngineScript()
        func upcoming(_ limit: Int = 9, _ change: (inout ScheduleDefinition) -> Void) throws -> [Double] {
            try script.apply(.schedule(schedule("s"), notifying("N", change)))
            let found = try #require(script.engine.schedule(schedule("s")))
            return found.upcoming(limit, at: script.now).map { $0.seconds(since: at(0)) }
        }
        #expect(try upcoming { $0.plan.first = .after(3) } == [3])
        #expect(try upcoming(3) { $0.plan.recurrence = .interval(2) } == [2, 4, 6])
        #expect(
            try upcoming {
                $0.plan.recurrence = .interval(2)
                $0.plan.count = 2
            } == [2, 4])
        #expect(
            try upcoming {
                $0.plan.recurrence = tens()
                $0.plan.first = .at(at(3))
                $0.plan.until = at(30)
            } == [3, 13, 23])
        #expect(try upcoming(0) { $0.plan.recurrence = .interval(2) } == [])
    }

    @Test func `a paused interval lists no upcoming firings, a paused rule lists them`() throws {
        var script = EngineScript()
        try script.apply(.pauseAllSchedules)
        try script.apply(.schedule(schedule("i"), notifying("N") { $0.plan.recurrence = .interval(2) }))
        try script.apply(.schedule(schedule("c"), notifying("N") { $0.plan.recurrence = tens() }))
        script.wait(until: 12)
        #expect(script.engine.schedule(schedule("i"))?.upcoming(3, at: script.now) == [])
        #expect(script.engine.schedule(schedule("c"))?.upcoming(3, at: script.now) == [at(10), at(20), at(30)])
    }

    @Test func `a rule counts from its first date whatever a pause or a late tick did`() throws {
        var script = EngineScript()
        try script.apply(
            .schedule(
                schedule("s"),
                notifying("N") {
                    $0.plan.first = .at(at(3))
                    $0.plan.recurrence = tens()
                }))
        script.wait(until: 4.5)
        try script.apply(.pauseSchedule(schedule("s")))
        script.wait(until: 27)
        try script.apply(.resumeSchedule(schedule("s")))
        script.wait(until: 28)
        #expect(script.log.filter { $0.hasPrefix("fired") } == ["fired s 1", "fired s 2"])
        #expect(script.engine.schedule(schedule("s"))?.due == at(33))
    }

    @Test func `100000 calendar rules cost nothing until they are due, and one evaluation each then`() throws {
        let style = Looks()
        var script = EngineScript(firings: 250)
        let rule = tens { style.count += 1 }
        for index in 0..<100_000 {
            _ = try script.engine.apply(
                .schedule(schedule("s\(index)"), notifying("N") { $0.plan.recurrence = rule }), at: script.now)
        }
        _ = (script.engine.drainEvents(), script.engine.drainChanges())
        #expect(style.count == 100_000)

        style.count = 0
        for tick in 1..<600 { script.engine.advance(to: at(Double(tick) / 60)) }
        let (events, changes) = (script.engine.drainEvents(), script.engine.drainChanges())
        #expect(style.count == 0 && events.isEmpty && changes.isEmpty)
        #expect(script.engine.nextDue == at(10))

        // One advance carries out no more than it has room for; the rest waits for the next one.
        let isDone = script.engine.advance(to: at(10))
        let fired = script.engine.drainChanges().count
        #expect(!isDone && style.count == 250 && fired == 250)
    }

    /// A count, confined to one test, which runs on one thread.
    private final class Looks: @unchecked Sendable {
        var count = 0
    }
}
