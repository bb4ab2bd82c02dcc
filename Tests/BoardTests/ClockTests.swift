// A wall clock that is set: what goes by the calendar is looked at anew.

import Board
import RecurrenceRules
import Testing
import Tween

@Suite struct ClockTests {
    private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0).advanced(bySeconds: seconds) }

    /// Every `period` seconds of the wall clock.
    private func rule(_ period: Double, saysHowOften: Bool) -> Recurrence {
        .calendar(
            CalendarRecurrence(text: "every \(period)", saysHowOften: saysHowOften) { instant, _ in
                let passed = (instant.seconds(since: Instant(nanoseconds: 0)) / period).rounded(.down)
                return Instant(nanoseconds: 0).advanced(bySeconds: (passed + 1) * period)
            })
    }

    private let hour = 3_600.0
    private let day = 86_400.0

    /// A board at noon of its tenth day, with a rule of minutes and one of days.
    private func script() throws -> EngineScript {
        var script = EngineScript()
        script.wait(until: 9.5 * day)
        try script.apply(
            .schedule(schedule("often"), notifying("N") { $0.plan.recurrence = rule(60, saysHowOften: true) }))
        try script.apply(
            .schedule(schedule("daily"), notifying("N") { $0.plan.recurrence = rule(day, saysHowOften: false) }))
        return script
    }

    private func due(_ id: String, _ script: EngineScript) -> Double? {
        script.engine.schedule(schedule(id))?.due.seconds(since: at(0))
    }

    @Test func `setting the clock back an hour recomputes a minute rule and keeps a daily rule's date`() throws {
        var script = try script()
        script.set(clockBy: -hour)
        #expect(due("often", script) == 9.5 * day - hour + 60)
        #expect(due("daily", script) == 10 * day)
    }

    @Test func `a daily schedule does not fire twice when the clock is set back an hour`() throws {
        var script = try script()
        script.wait(until: 10 * day + 60)
        script.set(clockBy: -hour)
        script.wait(until: 10 * day + 60)
        #expect(script.engine.schedule(schedule("daily"))?.fired == 1)
    }

    @Test func `setting the clock ten years forward and back leaves each rule due by the new time`() throws {
        var script = try script()
        script.set(clockBy: 3_652 * day)
        script.wait(until: 3_661.5 * day)
        #expect(script.engine.schedule(schedule("often"))?.fired == 1)
        script.set(clockBy: -3_652 * day)
        #expect(due("often", script) == 9.5 * day + 60)
        #expect(due("daily", script) == 10 * day)
    }

    @Test(arguments: [-1, -5]) func `setting the clock back does not move a schedule's first date`(hours: Int) throws {
        var script = try script()
        let date = at(9.5 * day + 600)
        try script.apply(
            .schedule(
                schedule("s"),
                notifying("N") {
                    $0.plan.first = .at(date)
                    $0.plan.recurrence = rule(60, saysHowOften: true)
                }))
        script.set(clockBy: Double(hours) * hour)
        #expect(script.engine.schedule(schedule("s"))?.due == date)
    }

    @Test func `a date that the clock jumps over fires or is skipped as its missed policy says`() throws {
        var script = try script()
        for (id, policy) in [("skipping", FiringPlan.MissedPolicy.skip), ("firing", .fire)] {
            try script.apply(
                .schedule(
                    schedule(id),
                    notifying(id) {
                        $0.plan.first = .at(at(9.5 * day + 600))
                        $0.plan.missed = policy
                    }))
        }
        script.set(clockBy: hour)
        script.wait(until: 9.5 * day + hour)
        #expect(script.log.contains("fired firing 1") && script.log.contains("removed firing completed"))
        #expect(!script.log.contains("fired skipping 1") && script.log.contains("removed skipping skipped"))
    }

    @Test func `setting the clock recomputes paused rules and keeps the time left of intervals`() throws {
        var script = try script()
        try script.apply(.schedule(schedule("in"), notifying("N") { $0.plan.first = .after(100) }))
        try script.apply(.pauseAllSchedules)
        script.set(clockBy: -day)
        try script.apply(.resumeAllSchedules)
        #expect(due("often", script) == 8.5 * day + 60)
        #expect(script.engine.schedule(schedule("in"))?.remaining(at: script.now) == 100)
    }

    // MARK: - Restarts

    @Test func `a restored ticker's time to live counts from the server's start`() throws {
        var script = EngineScript()
        for (id, length) in [("rests", 0.0), ("moves", 5), ("seen", 0)] {
            try script.update(id) { ($0.goal, $0.length, $0.timeToLive) = (.to(1), .seconds(length), 10) }
        }
        let stored = script.engine.tracks.compactMap(\.self)
        var later = EngineScript()
        later.wait(until: 100)
        later.engine.adopt(stored.map { .track($0) }, at: later.now)
        later.wait(until: 100)
        #expect(later.log == ["complete moves#1 finished"] && later.engine.trackCount == 3)
        let slot = try #require(later.engine.slot(of: ticker("seen")))
        later.engine.setHasSubscribers(true, slot: slot, at: later.now)
        later.wait(until: 109.9)
        #expect(later.engine.trackCount == 3)
        later.wait(until: 110)
        #expect(later.engine.trackCount == 1)
    }
}
