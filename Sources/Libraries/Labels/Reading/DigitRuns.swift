// Digits and what stands between them: where the groups end and the decimals begin. The same characters mean other things
// in other countries, so this is read off the whole number, unless a format says how its writer does it.

/// Runs of digits of one script, with one separator between each two.
struct DigitRuns {
    /// A run behind a separator.
    struct Further {
        let separator: Unicode.Scalar
        /// Where its first digit stands in the text.
        let start: Int
        let count: Int
    }

    /// Digits of the first run.
    let first: Int
    /// Most numbers have none.
    let further: [Further]
    /// The first digit is a zero.
    let startsWithZero: Bool
    /// A currency sign stands right before them, or right behind.
    let currency: CurrencySide?

    enum CurrencySide { case before, behind }

    /// The most runs looked at behind the first: 38 digits in groups of three, decimals, and one to see what follows.
    static let limit = 14

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
        guard let separator = further.first?.separator else { return Reading() }
        let shown = readingAsShown(separator)
        guard let separators else { return shown }
        let known = reading(separator, knowing: separators)
        // `$1,234.50` in a German format was not written by it: more of it is one number as it stands.
        return known.runs >= shown.runs ? known : shown
    }

    /// - Parameter separator: The first.
    private func reading(_ separator: Unicode.Scalar, knowing known: NumberSeparators) -> Reading {
        var reading = Reading()
        if let group = known.group, NumberSigns.isSameGroup(separator, group) {
            let found = groups(of: separator)
            // Where some are none, as in 192.168.0.1, all are none.
            if found.groups == leading(separator) { reading = found }
        }
        reading.hasDecimals = self.separator(reading.groups) == known.decimal
        return reading
    }

    /// - Parameter separator: The first.
    private func readingAsShown(_ separator: Unicode.Scalar) -> Reading {
        var reading = NumberSigns.isGroup(separator) ? groups(of: separator) : Reading()
        let second = self.separator(reading.groups)
        reading.hasDecimals = second.map { $0 != separator && NumberSigns.isDecimal($0) } ?? false
        if reading.groups > 0, isGrouped(reading, by: separator) { return reading }
        // Not grouped: the first separator can only stand before decimals, or between the numbers of a list.
        let isList = separator == "," && self.separator(1) == ","
        return Reading(hasDecimals: NumberSigns.isDecimal(separator) && !isList)
    }

    /// Whether what can be groups are groups, where no format tells.
    private func isGrouped(_ reading: Reading, by separator: Unicode.Scalar) -> Bool {
        let isWhole = reading.groups == further.count
        switch separator {
        // `1.234` is a number with three decimals, `1.234 €` is not.
        case ".", "\u{FF0E}": return reading.hasDecimals || isWhole && (reading.groups > 1 || isMoneyBefore)
        case ",", "\u{FF0C}": return reading.hasDecimals || reading.groups > 1 || !startsWithZero
        // A space that was typed stands between two numbers as well: `iPhone 15 128 GB`.
        case " ":
            if reading.hasDecimals { return self.separator(reading.groups) == "," || currency != nil }
            return isWhole && (reading.groups > 1 || currency == .behind)
        default: return true
        }
    }

    /// The sign of the currency stands behind the number where the decimals stand behind a comma.
    private var isMoneyBefore: Bool { currency == .behind && !startsWithZero }

    /// The separators from the first on that stand between groups: of three digits, or of two and a last three.
    private func groups(of separator: Unicode.Scalar) -> Reading {
        let same = leading(separator)
        let thousands = first <= 3 ? further.prefix(same).prefix { $0.count == 3 }.count : 0
        if thousands == same { return Reading(groups: thousands) }
        // 12,34,567: the first group of three is the last.
        let pairs = further.prefix(same).prefix { $0.count == 2 }.count
        if first <= 2, pairs > 0, pairs + 1 == same, further[pairs].count == 3 {
            return Reading(groups: same, isIndian: true)
        }
        return Reading(groups: thousands)
    }

    /// How many separators from the first on are the same.
    private func leading(_ separator: Unicode.Scalar) -> Int {
        further.prefix { NumberSigns.isSameGroup($0.separator, separator) }.count
    }

    private func separator(_ index: Int) -> Unicode.Scalar? {
        index < further.count ? further[index].separator : nil
    }
}
