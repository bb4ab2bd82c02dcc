// Parses cron expressions: five fields or a nickname, in either case.

extension CronExpression {
    private static let nicknames = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    /// The longest text, in bytes.
    static let maximumBytes = 1_000

    /// - Throws: What is wrong, naming the field: invalid numbers, names and ranges, and dates that never occur.
    init(parsing text: String) throws(RuleError) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw RuleError("a cron expression must be at most \(Self.maximumBytes) bytes long")
        }
        // Only ASCII letters: a dotless i is not an I.
        let upper = String(decoding: text.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
        var fields = upper.split { $0 == " " || $0 == "\t" }
        if fields.count == 1, let name = fields.first, name.hasPrefix("@") {
            guard let long = Self.nicknames[name.lowercased()] else {
                throw RuleError(
                    "unknown rule \(name.lowercased().prefix(40)); use @hourly, @daily, @weekly, @monthly or @yearly")
            }
            fields = long.split(separator: " ")
        }
        guard fields.count > 1 else {
            throw RuleError("must be seconds, an ISO 8601 duration such as PT15M or P1M, or a cron expression")
        }
        guard fields.count == 5 else {
            throw RuleError(
                "a cron expression has five fields, minute hour day-of-month month day-of-week, not \(fields.count)")
        }
        try self.init(fields: fields)
    }

    private init(fields: [Substring]) throws(RuleError) {
        let minutes = try CronField.minute.values(fields[0])
        let hours = try CronField.hour.values(fields[1])
        let dates = try CronField.dayOfMonth.values(fields[2])
        let months = try CronField.month.values(fields[3])
        let weekdays = try CronField.dayOfWeek.values(fields[4])
        let days = CronDays(
            daysOfMonth: UInt32(truncatingIfNeeded: dates.mask), includesLastDay: dates.includesLast,
            weekdays: UInt32(truncatingIfNeeded: weekdays.mask),
            lastWeekdays: UInt32(truncatingIfNeeded: weekdays.lastWeekdays),
            eitherIsEnough: Self.restricts(fields[2]) && Self.restricts(fields[4]))
        self.init(
            minutes: minutes.mask, hours: UInt32(truncatingIfNeeded: hours.mask),
            months: UInt32(truncatingIfNeeded: months.mask), days: days)
        guard comesTrue else {
            let (date, month) = (fields[2].prefix(40), fields[3].prefix(40))
            let weekday =
                fields[4] == "*" || fields[4] == "?" ? "" : " together with day-of-week `\(fields[4].prefix(40))`"
            throw RuleError("day-of-month `\(date)` never comes in month `\(month)`\(weekday)")
        }
    }

    /// Whether a field restricts the days: Vixie cron looks at its first character alone, so `*/2` doesn't, and a day must then
    /// satisfy both day fields.
    private static func restricts(_ field: Substring) -> Bool { !field.hasPrefix("*") && !field.hasPrefix("?") }
}
