// Other rules of the time zones: schedules that wait for a time on a clock keep it.

import Board
import RecurrenceRules
import TestSupport
import Testing
import Tween

@Suite struct ZoneRuleTests {
    private func at(hour: Double) -> Instant { Instant(nanoseconds: 0).advanced(bySeconds: hour * 3_600) }

    private func hour(_ id: String, _ script: EngineScript) -> Double? {
        script.engine.schedule(schedule(id)).map { $0.due.seconds(since: at(hour: 0)) / 3_600 }
    }

    private let before = HandZones("a", hours: -8)
    private let after = HandZones("b", hours: -7)

    /// A board at noon of UTC, where nine o'clock is five hours ahead.
    private func script(_ change: (inout ScheduleDefinition) -> Void = { _ in }) throws -> EngineScript {
        var script = EngineScript()
        script.engine.adopt(before, at: at(hour: 0))
        script.wait(until: 12 * 3_600)
        let rule = try before.recurrence("nine", zone: "Here")
        try script.apply(
            .schedule(
                schedule("nine"),
                notifying("N") {
                    $0.plan.recurrence = .calendar(rule)
                    change(&$0)
                }))
        return script
    }

    @Test func `new time zone rules move a nine o'clock schedule to the new nine o'clock`() throws {
        var script = try script()
        #expect(hour("nine", script) == 17)
        _ = script.engine.drainChanges()
        script.engine.adopt(after, at: at(hour: 12))
        #expect(hour("nine", script) == 16 && script.engine.drainChanges() == [schedule("nine")])
        let listed = script.engine.schedules(after: nil, limit: 9).map(SchedulePlace.init)
        #expect(listed == script.engine.schedule(schedule("nine")).map { [SchedulePlace($0)] })
        script.engine.adopt(after, at: at(hour: 12))
        #expect(script.engine.drainChanges().isEmpty)
        script.wait(until: 17 * 3_600)
        #expect(hour("nine", script) == 40 && script.engine.schedule(schedule("nine"))?.fired == 1)
        #expect(script.engine.schedules(after: nil, limit: 9).map(SchedulePlace.init).map(\.id) == ["nine"])
        try script.apply(.remove(schedule("nine")))
        #expect(script.engine.schedules(after: nil, limit: 9).isEmpty)
    }

    @Test func `a time passed under new time zone rules fires at once or is skipped, as missed says`() throws {
        for missed in FiringPlan.MissedPolicy.allCases {
            var script = try script { $0.plan.missed = missed }
            script.wait(until: 16.5 * 3_600)
            script.engine.adopt(after, at: at(hour: 16.5))
            script.wait(until: 16.6 * 3_600)
            let schedule = try #require(script.engine.schedule(schedule("nine")))
            #expect(schedule.fired == (missed == .fire ? 1 : 0) && schedule.due == at(hour: 40))
        }
    }

    @Test func `a schedule parsed with older time zone rules is created with the board's`() throws {
        var script = try script()
        script.engine.adopt(after, at: at(hour: 12))
        let old = try before.recurrence("nine", zone: "Here")
        try script.apply(
            .schedule(schedule("late"), notifying("N") { $0.plan.recurrence = .calendar(old) }))
        #expect(hour("late", script) == 16)
    }

    @Test func `a restored schedule is due by the present time zone rules`() throws {
        let stored = try #require(script().engine.schedule(schedule("nine")))
        var restored = Engine(configuration: Engine.Configuration(planner: NoFormats(), rules: after))
        restored.adopt([.schedule(stored)], at: at(hour: 13))
        #expect(restored.schedule(schedule("nine"))?.due == at(hour: 16))
        #expect(restored.drainChanges() == [schedule("nine")])
        var same = Engine(configuration: Engine.Configuration(planner: NoFormats(), rules: before))
        same.adopt([.schedule(stored)], at: at(hour: 13))
        #expect(same.schedule(schedule("nine"))?.due == at(hour: 17) && same.drainChanges().isEmpty)
    }

    @Test func `new time zone rules leave intervals and first dates`() throws {
        var script = try script { $0.plan.first = .at(Instant(nanoseconds: 0).advanced(bySeconds: 20 * 3_600)) }
        try script.apply(.schedule(schedule("often"), notifying("N") { $0.plan.recurrence = .interval(7_200) }))
        script.engine.adopt(after, at: at(hour: 12))
        #expect(hour("nine", script) == 20 && hour("often", script) == 14)
    }
}
