// One field of a cron expression: its allowed numbers and names, and the parser to a bit mask.

/// The five fields.
enum CronField: String, Sendable {
    case minute, hour
    case dayOfMonth = "day-of-month"
    case month
    case dayOfWeek = "day-of-week"

    /// The allowed numbers; Sunday is both 0 and 7.
    var range: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    private var names: [String] {
        switch self {
        case .month: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
        case .minute, .hour, .dayOfMonth: []
        }
    }

    /// The values that a field's text denotes.
    struct Values: Hashable, Sendable {
        /// Bit n: the number n; Sunday is 0.
        var mask: UInt64 = 0
        /// `L` alone in day-of-month.
        var includesLast = false
        /// Bit w: `wL` in day-of-week.
        var lastWeekdays: UInt64 = 0
    }

    /// Parses a list of `*`, `?`, numbers, names, ranges and steps.
    /// - Throws: What is wrong, with the field's name.
    func values(_ text: Substring) throws(RuleError) -> Values {
        var values = Values()
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard !item.isEmpty else { throw error(text, "is empty between two commas") }
            switch (self, item.last) {
            case (.dayOfMonth, "L") where item == "L": values.includesLast = true
            case (.dayOfWeek, "L") where item.count > 1:
                values.lastWeekdays |= 1 << UInt64(try number(item.dropLast(), of: item) % 7)
            case (.dayOfWeek, "L"):
                throw error(item, "needs a day of the week before it: 5L is the last Friday of the month")
            default: values.mask |= try mask(item)
            }
        }
        return values
    }

    private func mask(_ item: Substring) throws(RuleError) -> UInt64 {
        let parts = item.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var (low, high) = try bounds(parts[0], of: item)
        var step = 1
        if parts.count == 2 {
            step = try self.step(parts[1], of: item)
            // As in most crons, 5/15 means from 5 on.
            if !parts[0].contains("-") { high = range.upperBound }
        }
        var mask: UInt64 = 0
        while low <= high {
            mask |= 1 << UInt64(self == .dayOfWeek ? low % 7 : low)
            low += step
        }
        return mask
    }

    /// The number of values. A larger step matches only once, and the next hour, day, month, year or week starts over.
    private var count: Int { self == .dayOfWeek ? 7 : range.count }

    private func step(_ text: Substring, of item: Substring) throws(RuleError) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), text.contains(where: { $0 != "0" })
        else {
            throw error(item, "needs a whole number above 0 after the slash")
        }
        let step = Int(text) ?? .max
        guard step <= count else {
            let (longest, units, duration) = durations
            guard step <= longest else { throw error(item, "has a step above \(count)") }
            throw error(
                item,
                "has a step above \(count); for every \(step) \(units) give the duration \(duration(step)) instead")
        }
        return step
    }

    /// Durations that express a step too large for the field: the largest step, its unit, and the duration's text.
    private var durations: (longest: Int, units: String, duration: (Int) -> String) {
        switch self {
        case .minute: (525_600, "minutes", { "PT\($0)M" })
        case .hour: (8_760, "hours", { "PT\($0)H" })
        case .dayOfMonth, .dayOfWeek: (365, "days", { "P\($0)D" })
        case .month: (1_200, "months", { "P\($0)M" })
        }
    }

    private func bounds(_ text: Substring, of item: Substring) throws(RuleError) -> (low: Int, high: Int) {
        if text == "*" { return (range.lowerBound, range.upperBound) }
        if text == "?" {
            guard self == .dayOfMonth || self == .dayOfWeek else {
                throw error(item, "is allowed in day-of-month and day-of-week only")
            }
            return (range.lowerBound, range.upperBound)
        }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let low = try number(ends[0], of: item)
        guard ends.count == 2 else { return (low, low) }
        var high = try number(ends[1], of: item)
        // The range FRI-SUN ends with the Sunday that is 7.
        if self == .dayOfWeek, high == 0, low > 0 { high = 7 }
        guard low <= high else { throw error(item, "is a range that ends before it begins") }
        return (low, high)
    }

    private func number(_ text: Substring, of item: Substring) throws(RuleError) -> Int {
        if let place = names.firstIndex(where: { $0 == text }) { return self == .month ? place + 1 : place }
        guard let value = Self.digits(text) else {
            let names = names.isEmpty ? "" : ", nor a name such as \(names[1])"
            throw error(item, "is not a number from \(range.lowerBound) to \(range.upperBound)\(names)")
        }
        guard range.contains(value) else {
            throw error(item, "is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    /// Parses at most four ASCII digits.
    private static func digits(_ text: Substring) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private func error(_ item: Substring, _ what: String) -> RuleError {
        RuleError("\(rawValue) `\(item.prefix(40))` \(what)")
    }
}
