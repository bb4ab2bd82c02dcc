// Plans carried out on instants alone: no board, no book and no time zone.

import RecurrenceRules
import Testing
import Tween

@Suite struct FiringTests {
    private static let start = Instant(nanoseconds: 1_780_000_000_000_000_000)

    private static func after(_ seconds: Double) -> Instant { start.advanced(bySeconds: seconds) }

    /// Fires at each whole hour, as a rule of the calendar.
    private static let hourly = Recurrence.calendar(
        CalendarRecurrence(text: "hourly") { instant, _ in
            Instant(nanoseconds: (instant.nanoseconds / 3_600_000_000_000 + 1) * 3_600_000_000_000)
        })

    /// Seconds after the start at which a plan is due.
    private func dues(_ plan: FiringPlan, at now: Instant = start, limit: Int = 5) throws -> [Double] {
        try Firing(plan, at: now).upcoming(limit, by: plan, at: now).map { $0.seconds(since: Self.start) }
    }

    @Test func `a plan lists its coming firings`() throws {
        #expect(try dues(FiringPlan(first: .after(2.5))) == [2.5])
        #expect(try dues(FiringPlan(first: .at(Self.after(-9)))) == [0])
        #expect(try dues(FiringPlan(recurrence: .interval(10))) == [10, 20, 30, 40, 50])
        #expect(try dues(FiringPlan(first: .after(1), recurrence: .interval(10))) == [1, 11, 21, 31, 41])
        #expect(
            try dues(FiringPlan(recurrence: Self.hourly), limit: 2).map { $0.truncatingRemainder(dividingBy: 1) } == [
                0, 0,
            ])
    }

    private static let ends: [(Int?, Double?, [Double])] = [
        (2, nil, [10, 20]), (nil, 35, [10, 20, 30]), (9, 20, [10, 20]), (1, nil, [10]),
    ]

    @Test(arguments: ends)
    func `a repetition ends by its count or its date, whichever comes first`(
        count: Int?, until: Double?, expected: [Double]
    ) throws {
        var plan = FiringPlan(recurrence: .interval(10))
        plan.count = count
        plan.until = until.map(Self.after)
        #expect(try dues(plan) == expected)
    }

    @Test(arguments: [0.0, 1, 10, 10.1, 25, 1e6])
    func `one late firing stands for all missed ones, and the interval's phase stays`(
        late: Double
    ) throws {
        let plan = FiringPlan(recurrence: .interval(10))
        var firing = try Firing(plan, at: Self.start)
        let now = Self.after(10 + late)
        let goesOn = firing.advance(by: plan, at: now)
        #expect(goesOn && firing.fired == 1)
        let next = firing.due.seconds(since: Self.start)
        #expect(next > 10 + late && next <= 20 + late)
        #expect(next.truncatingRemainder(dividingBy: 10) == 0)
    }

    @Test func `a pause keeps the rest of an interval, while a date stays fixed`() throws {
        var interval = try Firing(FiringPlan(recurrence: .interval(10)), at: Self.start)
        interval.hold(at: Self.after(4))
        interval.hold(at: Self.after(7))
        #expect(interval.remaining(at: Self.after(99)) == 6)
        interval.release(at: Self.after(100))
        #expect(interval.due == Self.after(106))
        var date = try Firing(FiringPlan(first: .at(Self.after(10))), at: Self.start)
        date.hold(at: Self.after(4))
        date.release(at: Self.after(100))
        #expect(date.due == Self.after(10))
    }

    /// Each 10 s from 3 s before the start on.
    private static let phased: FiringPlan = FiringPlan(first: .at(after(-3)), recurrence: .interval(10))

    @Test func `a first date gives the phase of an interval, however long it has passed`() throws {
        #expect(try dues(Self.phased) == [0, 7, 17, 27, 37])
        #expect(try dues(FiringPlan(first: .at(Self.after(3)), recurrence: .interval(10))) == [3, 13, 23, 33, 43])
        let week = FiringPlan(first: .at(Self.after(-604_800.5)), recurrence: .interval(604_800))
        #expect(try dues(week, limit: 3) == [0, 604_799.5, 1_209_599.5])
        // More nanoseconds than a signed number holds.
        let old = FiringPlan(first: .at(Instant(nanoseconds: .min)), recurrence: .interval(3_600))
        let next = try #require(try Firing(old, at: Self.start).upcoming(2, by: old, at: Self.start).last)
        #expect((UInt64(bitPattern: next.nanoseconds &- .min)) % 3_600_000_000_000 == 0)
        #expect(next > Self.start && next <= Self.after(3_600))
    }

    @Test(arguments: [0.0, 6.9, 7, 7.1, 16.9, 1e6])
    func `neither a late firing nor a pause moves the phase of an interval with a first date`(late: Double) throws {
        var firing = try Firing(Self.phased, at: Self.start)
        let now = Self.after(late)
        let goesOn = firing.advance(by: Self.phased, at: now)
        firing.hold(at: now)
        firing.release(at: Self.after(late + 5))
        #expect(goesOn && firing.due > now && firing.due <= now.advanced(bySeconds: 10))
        #expect(firing.due.seconds(since: Self.after(-3)).truncatingRemainder(dividingBy: 10) == 0)
    }

    @Test func `an interval with a first date follows a clock that was set back`() throws {
        let days = FiringPlan(first: .at(Self.start), recurrence: .interval(86_400))
        for (plan, seconds, due) in [(Self.phased, 100.0, 17.0), (days, 3_600, 172_800), (days, 36_000, 86_400)] {
            var firing = try Firing(plan, at: Self.start)
            let later = Self.after(plan == days ? 86_400 : 110)
            _ = firing.advance(by: plan, at: later)
            let back = later.advanced(bySeconds: -seconds)
            _ = firing.recompute(by: plan, byNanoseconds: Int64(seconds * -1e9), at: back)
            #expect(firing.due == Self.after(due))
        }
    }

    @Test func `with missed set to skip, an overdue firing is left out`() throws {
        var plan = FiringPlan(first: .after(5), recurrence: .interval(10))
        plan.missed = .skip
        var firing = try Firing(plan, at: Self.start)
        #expect(!firing.skips(by: plan, at: Self.after(5)))
        #expect(firing.skips(by: plan, at: Self.after(6)))
        let goesOn = firing.skipMissed(by: plan, at: Self.after(32))
        #expect(goesOn && firing.fired == 0 && firing.due == Self.after(35))
    }

    @Test func `a plan that never fires is refused with its field`() {
        #expect(throws: RecurrenceError(field: "at", reason: "a schedule needs one of `at`, `in` or `every`")) {
            try Firing(FiringPlan(), at: Self.start)
        }
        var ended = FiringPlan(recurrence: .interval(10))
        ended.until = Self.after(9)
        #expect(throws: RecurrenceError.self) { try Firing(ended, at: Self.start) }
        let never = CalendarRecurrence(text: "never") { _, _ in nil }
        #expect(throws: RecurrenceError.self) { try Firing(FiringPlan(recurrence: .calendar(never)), at: Self.start) }
    }

    @Test func `a calendar rule follows a clock set back by hours, not by one hour`() throws {
        let plan = FiringPlan(recurrence: Self.hourly)
        var firing = try Firing(plan, at: Self.start)
        let due = firing.due
        let little = firing.recompute(by: plan, byNanoseconds: -3_600_000_000_000, at: Self.after(-3_600))
        #expect(!little && firing.due == due)
        let far = firing.recompute(by: plan, byNanoseconds: -36_000_000_000_000, at: Self.after(-36_000))
        #expect(far && firing.due == due.advanced(bySeconds: -36_000))
    }
}
