// Digits and what stands between them: where the groups end and the decimals begin. The same characters mean other things
// in other countries, so this is read off the whole number, unless a format says how its writer does it.

/// Runs of digits of one script, with one separator between each two.
struct DigitRuns {
    /// Digits of each run; never empty, nor is any of them.
    var counts: [Int]
    /// One less than there are runs.
    var separators: [Unicode.Scalar] = []
    /// The first digit is a zero.
    var startsWithZero = false
    /// A currency sign stands right before them, or right behind.
    var currency: CurrencySide?

    enum CurrencySide { case before, behind }

    /// The most runs looked at: 38 digits in groups of three, decimals, and one to see what follows.
    static let limit = 15

    /// What of them is one number.
    struct Reading: Hashable {
        /// Separators between groups.
        var groups = 0
        var hasDecimals = false
        /// Groups of two before the last one of three, as in India.
        var isIndian = false

        /// Runs that belong to the number.
        var runs: Int { groups + (hasDecimals ? 2 : 1) }
    }

    /// By a format's separators where they fit, else by what the label itself shows.
    func reading(by separators: NumberSeparators?) -> Reading {
        let shown = readingAsShown
        guard let separators else { return shown }
        let known = reading(knowing: separators)
        // `$1,234.50` in a German format was not written by it: more of it is one number as it stands.
        return known.runs >= shown.runs ? known : shown
    }

    private func reading(knowing known: NumberSeparators) -> Reading {
        guard let first = separators.first else { return Reading() }
        var reading = Reading()
        if let group = known.group, NumberSigns.isSameGroup(first, group) {
            let found = groups(of: first)
            // Where some are none, as in 192.168.0.1, all are none.
            if found.groups == leading(first) { reading = found }
        }
        if reading.groups < separators.count { reading.hasDecimals = separators[reading.groups] == known.decimal }
        return reading
    }

    private var readingAsShown: Reading {
        guard let first = separators.first else { return Reading() }
        var reading = NumberSigns.isGroup(first) ? groups(of: first) : Reading()
        let second = reading.groups < separators.count ? separators[reading.groups] : nil
        reading.hasDecimals = second.map { $0 != first && NumberSigns.isDecimal($0) } ?? false
        if reading.groups > 0, isGrouped(reading, by: first) { return reading }
        // Not grouped: the first separator can only stand before decimals, or between the numbers of a list.
        let isList = first == "," && separators.count > 1 && separators[1] == ","
        return Reading(hasDecimals: NumberSigns.isDecimal(first) && !isList)
    }

    /// Whether what can be groups are groups, where no format tells.
    private func isGrouped(_ reading: Reading, by separator: Unicode.Scalar) -> Bool {
        switch separator {
        // `1.234` is a number with three decimals, `1.234 €` is not.
        case ".", "\u{FF0E}":
            let isWhole = reading.groups == separators.count && (reading.groups > 1 || isMoneyBefore)
            return reading.hasDecimals || isWhole
        case ",", "\u{FF0C}": return reading.hasDecimals || reading.groups > 1 || !startsWithZero
        // A space that was typed stands between two numbers as well: `iPhone 15 128 GB`.
        case " ":
            if reading.hasDecimals { return separators[reading.groups] == "," || currency != nil }
            return reading.groups == separators.count && (reading.groups > 1 || currency == .behind)
        default: return true
        }
    }

    /// The sign of the currency stands behind the number where the decimals stand behind a comma.
    private var isMoneyBefore: Bool { currency == .behind && !startsWithZero }

    /// The separators from the first on that stand between groups: of three digits, or of two and a last three.
    private func groups(of separator: Unicode.Scalar) -> Reading {
        let same = leading(separator)
        var thousands = 0
        if counts[0] <= 3 { while thousands < same, counts[thousands + 1] == 3 { thousands += 1 } }
        if thousands == same { return Reading(groups: thousands) }
        // 12,34,567: the first group of three is the last.
        var pairs = 0
        while pairs < same, counts[pairs + 1] == 2 { pairs += 1 }
        if counts[0] <= 2, pairs > 0, pairs + 1 == same, counts[same] == 3 {
            return Reading(groups: same, isIndian: true)
        }
        return Reading(groups: thousands)
    }

    /// How many separators from the first on are the same.
    private func leading(_ separator: Unicode.Scalar) -> Int {
        separators.firstIndex { !NumberSigns.isSameGroup($0, separator) } ?? separators.count
    }
}
