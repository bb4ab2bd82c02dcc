// A cron expression as bit masks, and the search for its next minute. Without time zones: minutes are those of a wall clock,
// counted from midnight of 1970-01-01.

import Base

/// Five fields, compiled.
struct CronExpression: Hashable, Sendable {
    /// Bit m: minute m of an hour. Never empty.
    let minutes: UInt64
    /// Bit h: hour h of a day. Never empty.
    let hours: UInt32
    /// Bit m: month m, 1 to 12. Never empty.
    let months: UInt32
    /// By kind of month (28 combinations of length and first weekday); bit d: day d of the month.
    private let days: [UInt32]
    /// Expressions with equal texts mean the same; two with the same meaning can have different ones.
    let meaning: String

    /// - Parameter days: The matching days in a kind of month.
    init(minutes: UInt64, hours: UInt32, months: UInt32, days: CronDays) {
        self.minutes = minutes
        self.hours = hours
        self.months = months
        meaning = "\(minutes) \(hours) \(months) \(days.meaning)"
        self.days = (0..<28).map { days.mask(monthLength: 28 + $0 / 7, firstWeekday: $0 % 7) }
    }

    /// Whether it fires in every hour, however written. Such an expression says how often, not when, so it follows the
    /// clocks through a change of the zone's offset.
    var saysHowOften: Bool { hours == 0xFF_FFFF }

    /// Whether any date matches. Within 400 years, every month begins on each weekday, and so does February of leap years.
    var comesTrue: Bool {
        for month in 1...12 where months & 1 << UInt32(month) != 0 {
            let longest = CivilDate.length(ofMonth: month, year: 2000)
            for length in (month == 2 ? 28 : longest)...longest {
                // proven: a month has 28 to 31 days, and there are seven masks for each length.
                if days[((length - 28) * 7)..<((length - 27) * 7)].contains(where: { $0 != 0 }) { return true }
            }
        }
        return false
    }

    /// Returns the first matching minute at or after a minute. Searches field by field: at most one step per month, over one
    /// cycle of the calendar.
    /// - Returns: nil if there is none in 400 years.
    func first(from minute: Int) -> Int? {
        let day = minute.dividedDown(by: 1_440)
        let date = CivilDate(dayNumber: day)
        var (year, month) = (date.year, date.month)
        var firstDay = day - date.day + 1
        if mask(year, month, firstDay: firstDay) & 1 << UInt32(date.day) != 0,
            let found = firstMinute(from: minute - day * 1_440)
        {
            return day * 1_440 + found
        }
        var from = UInt32(date.day + 1)
        for _ in 0...4_800 {
            // A shift by 32 yields 0.
            let rest = mask(year, month, firstDay: firstDay) & UInt32.max << from
            if rest != 0 {
                return (firstDay + rest.trailingZeroBitCount - 1) * 1_440 + hours.trailingZeroBitCount * 60
                    + minutes.trailingZeroBitCount
            }
            from = 0
            firstDay += CivilDate.length(ofMonth: month, year: year)
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        }
        return nil
    }

    private func mask(_ year: Int, _ month: Int, firstDay: Int) -> UInt32 {
        guard months & 1 << UInt32(month) != 0 else { return 0 }
        let length = CivilDate.length(ofMonth: month, year: year)
        return days[(length - 28) * 7 + CivilDate.weekday(ofDay: firstDay)]
    }

    /// Returns the first matching minute of a day at or after a minute.
    private func firstMinute(from minute: Int) -> Int? {
        let hour = minute / 60
        if hours & 1 << UInt32(hour) != 0 {
            let rest = minutes & UInt64.max << UInt64(minute % 60)
            if rest != 0 { return hour * 60 + rest.trailingZeroBitCount }
        }
        let later = hours & UInt32.max << UInt32(hour + 1)
        return later == 0 ? nil : later.trailingZeroBitCount * 60 + minutes.trailingZeroBitCount
    }
}

/// The matching days of a month: the fields day-of-month and day-of-week combined.
struct CronDays: Hashable, Sendable {
    /// Bit d: day d, 1 to 31.
    var daysOfMonth: UInt32 = 0
    /// `L`: the last day of the month.
    var includesLastDay = false
    /// Bit w: day of the week w, 0 for Sunday to 6.
    var weekdays: UInt32 = 0
    /// `5L`: bit w: the last such weekday of the month.
    var lastWeekdays: UInt32 = 0
    /// Whether a day that matches either field is enough. If a field begins with `*` or `?`, both must match, as in Vixie
    /// cron: `*/2` included.
    var eitherIsEnough = false

    var meaning: String {
        "\(daysOfMonth)\(includesLastDay ? "L" : "")\(eitherIsEnough ? "|" : "&")\(weekdays)L\(lastWeekdays)"
    }

    func mask(monthLength: Int, firstWeekday: Int) -> UInt32 {
        var byDate: UInt32 = 0
        var byWeekday: UInt32 = 0
        for day in 1...monthLength {
            let bit: UInt32 = 1 << UInt32(day)
            let weekday: UInt32 = 1 << UInt32((firstWeekday + day - 1) % 7)
            if daysOfMonth & bit != 0 || (includesLastDay && day == monthLength) { byDate |= bit }
            if weekdays & weekday != 0 || (lastWeekdays & weekday != 0 && day + 7 > monthLength) { byWeekday |= bit }
        }
        return eitherIsEnough ? byDate | byWeekday : byDate & byWeekday
    }
}
