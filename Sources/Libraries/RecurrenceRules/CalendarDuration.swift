// ISO 8601 durations with calendar parts, such as P1M or P1DT12H, repeated from an anchor in a time zone.

import Base
import Tween

/// Months and days in a zone, followed by elapsed time. Longer than zero.
struct CalendarDuration: Hashable, Sendable {
    let months: Int
    let days: Int
    let nanoseconds: Int

    /// The largest number of one unit, so that nothing overflows.
    private static let maximumCount = 100_000

    /// - Throws: What is wrong; a duration of zero is an error too.
    init(parsing text: String) throws(RuleError) {
        guard let duration = ISODuration(parsing: text) else {
            throw RuleError("`\(text.prefix(40))` is not an ISO 8601 duration such as P1M, P2W or P1DT12H")
        }
        var whole: [ISODuration.Unit: Int] = [:]
        for unit in ISODuration.Unit.allCases {
            guard let count = duration.amounts[unit] else { continue }
            guard count <= Double(Self.maximumCount) else {
                throw RuleError("`\(text.prefix(40))` contains a number above \(Self.maximumCount)")
            }
            guard unit.isOfTime || count == count.rounded() else {
                throw RuleError("`\(text.prefix(40))`: years, months, weeks and days must be whole")
            }
            whole[unit] = Int(saturating: count)
        }
        months = whole[.years, default: 0] * 12 + whole[.months, default: 0]
        days = whole[.weeks, default: 0] * 7 + whole[.days, default: 0]
        var seconds = 0.0
        for unit in [ISODuration.Unit.hours, .minutes, .seconds] {
            seconds += duration.amounts[unit, default: 0] * (unit.seconds ?? 0)
        }
        nanoseconds = Int(saturating: (seconds * 1e9).rounded())
        guard months + days > 0 || nanoseconds > 0 else { throw RuleError("a duration must be longer than zero") }
    }

    /// Equal for durations of the same length only.
    var meaning: String { "P\(months)M\(days)D\(nanoseconds)" }

    /// Whether it contains months or days; otherwise it is elapsed time only.
    var hasCalendarParts: Bool { months + days > 0 }

    /// Returns the anchor plus this many durations. Always counted from the anchor, so that the 31st returns after a shorter
    /// month.
    /// - Returns: nil if an instant can't hold it.
    func occurrence(_ count: Int, from anchor: Instant, in zone: ZoneOffsets) -> Instant? {
        let (allMonths, monthsOverflow) = months.multipliedReportingOverflow(by: count)
        let (allDays, daysOverflow) = days.multipliedReportingOverflow(by: count)
        let (elapsed, overflow) = nanoseconds.multipliedReportingOverflow(by: count)
        // A million years are beyond any instant, and far from an integer's bounds.
        guard !monthsOverflow, !daysOverflow, !overflow, allMonths < 12_000_000, allDays < 400_000_000 else {
            return nil
        }
        let second = Int(anchor.nanoseconds).dividedDown(by: 1_000_000_000)
        let rest = Int(anchor.nanoseconds) % 1_000_000_000
        let wall = zone.wall(at: second)
        let day = wall.dividedDown(by: 86_400)
        let date = CivilDate(dayNumber: day).adding(months: allMonths)
        let moved = zone.second(atWall: (date.dayNumber + allDays) * 86_400 + wall - day * 86_400)
        let (nanosecond, overflows) = (rest < 0 ? rest + 1_000_000_000 : rest).addingReportingOverflow(elapsed)
        return overflows ? nil : Instant(second: moved, nanoseconds: nanosecond)
    }

    /// Returns the first occurrence strictly after an instant, excluding the anchor.
    func next(after instant: Instant, from anchor: Instant, in zone: ZoneOffsets) -> Instant? {
        // The mean length of a Gregorian month is 30.436875 days.
        let length = Double(months) * 2_629_746 + Double(days) * 86_400 + Double(nanoseconds) / 1e9
        var count = Int(saturating: min(max(instant.seconds(since: anchor) / length, 1), 1e15))
        while count > 1, let earlier = occurrence(count - 1, from: anchor, in: zone), earlier > instant { count -= 1 }
        while let found = occurrence(count, from: anchor, in: zone) {
            if found > instant { return found }
            count += 1
        }
        return nil
    }
}

extension ISODuration.Unit {
    /// Whether the unit is elapsed time; longer units follow the calendar.
    fileprivate var isOfTime: Bool { rawValue >= Self.hours.rawValue }
}
