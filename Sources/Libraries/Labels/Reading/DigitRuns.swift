// Finds groups and decimals in runs of digits. The same separators mean different things in different countries, so the
// whole number decides, unless a format is known.

/// Runs of digits of one script, with one separator between two of them.
struct DigitRuns {
    /// A run after a separator.
    struct Further {
        let separator: Unicode.Scalar
        /// The position of its first digit in the text.
        let start: Int
        let count: Int
    }

    /// Digits of the first run.
    let first: Int
    /// The other runs; most numbers have none.
    let further: [Further]
    /// Whether the first digit is zero.
    let startsWithZero: Bool
    /// The side of an adjacent currency symbol.
    let currency: CurrencySide?

    enum CurrencySide { case before, behind }

    /// The most runs examined after the first: 38 digits in groups of three, decimals, and one more to see what follows.
    static let limit = 14

    /// Which of the runs form one number.
    struct Reading: Hashable {
        /// Separators between groups.
        var groups = 0
        var hasDecimals = false
        /// Whether groups of two precede a last one of three, as in India.
        var isIndian = false

        /// The runs that belong to the number.
        var runs: Int { groups + (hasDecimals ? 2 : 1) }
    }

    /// Interprets the runs by a format's separators if they fit, else by the text itself.
    func reading(by separators: NumberSeparators?) -> Reading {
        guard let separator = further.first?.separator else { return Reading() }
        let shown = readingAsShown(separator)
        guard let separators else { return shown }
        let known = reading(separator, knowing: separators)
        // `$1,234.50` in a German format wasn't written with that format: without it, the number read is longer.
        return known.runs >= shown.runs ? known : shown
    }

    /// - Parameter separator: The first.
    private func reading(_ separator: Unicode.Scalar, knowing known: NumberSeparators) -> Reading {
        var reading = Reading()
        if let group = known.group, NumberSigns.isSameGroup(separator, group) {
            let found = groups(of: separator, size: known.groupSize == 2 ? 2 : 3)
            // If some can't be groups, as in 192.168.0.1, none are.
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
        // Not grouped: the first separator can only precede decimals, or separate the numbers of a list.
        let isList = separator == "," && self.separator(1) == ","
        return Reading(hasDecimals: NumberSigns.isDecimal(separator) && !isList)
    }

    /// Returns whether possible groups are groups, without a format.
    private func isGrouped(_ reading: Reading, by separator: Unicode.Scalar) -> Bool {
        let isWhole = reading.groups == further.count
        switch separator {
        // `1.234` is a number with three decimals, but `1.234 €` is not.
        case ".", "\u{FF0E}": return reading.hasDecimals || isWhole && (reading.groups > 1 || isMoneyBefore)
        case ",", "\u{FF0C}": return reading.hasDecimals || reading.groups > 1 || !startsWithZero
        // A typed space may also separate two numbers: `iPhone 15 128 GB`.
        case " ":
            if reading.hasDecimals { return self.separator(reading.groups) == "," || currency != nil }
            return isWhole && (reading.groups > 1 || currency == .behind)
        default: return true
        }
    }

    /// Whether this is money in the style with the symbol after the number, where decimals follow a comma.
    private var isMoneyBefore: Bool { currency == .behind && !startsWithZero }

    /// Returns the leading separators that form groups: of one size, or of two digits and a last one of three.
    private func groups(of separator: Unicode.Scalar, size: Int = 3) -> Reading {
        let same = leading(separator)
        let thousands = first <= size ? further.prefix(same).prefix { $0.count == size }.count : 0
        if thousands == same { return Reading(groups: thousands) }
        // 12,34,567: the first group of three is the last.
        let pairs = further.prefix(same).prefix { $0.count == 2 }.count
        if first <= 2, pairs > 0, pairs + 1 == same, further[pairs].count == 3 {
            return Reading(groups: same, isIndian: true)
        }
        return Reading(groups: thousands)
    }

    /// Returns how many leading separators are the same.
    private func leading(_ separator: Unicode.Scalar) -> Int {
        further.prefix { NumberSigns.isSameGroup($0.separator, separator) }.count
    }

    private func separator(_ index: Int) -> Unicode.Scalar? {
        index < further.count ? further[index].separator : nil
    }
}
