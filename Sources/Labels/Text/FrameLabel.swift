// A ticker's label as frames need it: the number's rounding and layout as small integers, all static text in one array.
// It decides nothing that the label's plan doesn't; labels it can't hold (plural messages, compact notation, digits of
// other scripts, very long separators) are written by the label itself.

/// A label whose frames touch no reference count.
package struct FrameLabel: Sendable {
    /// The number that a frame shows: frames of one label with equal numbers have equal texts, others don't.
    package struct Number: Equatable, Sendable {
        /// Units of the last digit.
        var units: UInt64
        var isNegative: Bool

        package static let zero = Number(units: 0, isNegative: false)
    }

    /// The text before and after the digits for one sign: first words and lengths.
    private struct Surroundings {
        var prefix: UInt16
        var prefixCount: UInt16
        var suffix: UInt16
        var suffixCount: UInt16
    }

    /// Room for any of its texts, what a last word carries too much included.
    package let room: Int
    private let words: [UInt64]
    private let positive: Surroundings
    private let negative: Surroundings
    private let zero: Surroundings
    private let decimalSeparator: UInt64
    private let groupSeparator: UInt64
    private let decimalSeparatorCount: UInt8
    private let groupSeparatorCount: UInt8
    /// Digits in the group next to the point and in further groups; 0 is no such group.
    private let primary: UInt8
    private let secondary: UInt8
    /// The fewest integer digits that are grouped.
    private let groupedFrom: UInt8
    private let maximumDecimals: UInt8
    private let minimumDecimals: UInt8
    private let minimumIntegerDigits: UInt8
    private let places: Int8
    private let rounding: RoundingRule

    /// A label that shows no number.
    package static let none = FrameLabel()

    private init() {
        room = 0
        words = []
        positive = Surroundings(prefix: 0, prefixCount: 0, suffix: 0, suffixCount: 0)
        (negative, zero) = (positive, positive)
        (decimalSeparator, groupSeparator, decimalSeparatorCount, groupSeparatorCount) = (0, 0, 0, 0)
        (primary, secondary, groupedFrom) = (0, 0, 0)
        (maximumDecimals, minimumDecimals, minimumIntegerDigits) = (0, 0, 0)
        // More than any number is rounded to.
        places = .max
        rounding = .halfExpand
    }

    /// Nil for a label that it can't hold.
    package init?(_ label: TickerLabel) {
        let plan = label.plan
        let text = label.prefix.count + label.suffix.count
        let affixes = [plan.affixes.positive, plan.affixes.negative, plan.affixes.zero]
        let longest = affixes.map { $0.prefix.count + $0.suffix.count }.max() ?? 0
        guard label.message == nil, plan.compact == nil, plan.plural == nil, plan.digits.isASCII,
            plan.decimalSeparator.count <= 8, plan.groupSeparator.count <= 8, plan.grouping.primary <= 8,
            plan.grouping.secondary <= 8, plan.grouping.minimum <= 16, plan.maximumDecimals <= 19,
            plan.minimumIntegerDigits <= 18,
            (-15...21).contains(plan.maximumDecimals + plan.shift), text + longest <= 4096
        else { return nil }
        var words: [UInt64] = []
        func adopt(_ text: [UInt8]) -> UInt16 {
            defer { words += [UInt64](words: text) }
            return UInt16(words.count)
        }
        let around = affixes.map { affix in
            Surroundings(
                prefix: adopt(label.prefix + affix.prefix),
                prefixCount: UInt16(label.prefix.count + affix.prefix.count),
                suffix: adopt(affix.suffix + label.suffix),
                suffixCount: UInt16(affix.suffix.count + label.suffix.count))
        }
        (positive, negative, zero) = (around[0], around[1], around[2])
        self.words = words
        decimalSeparator = [UInt64](words: plan.decimalSeparator).first ?? 0
        groupSeparator = [UInt64](words: plan.groupSeparator).first ?? 0
        decimalSeparatorCount = UInt8(plan.decimalSeparator.count)
        groupSeparatorCount = UInt8(plan.groupSeparator.count)
        primary = UInt8(plan.grouping.primary)
        secondary = UInt8(plan.grouping.secondary)
        groupedFrom = UInt8(plan.grouping.primary + plan.grouping.minimum)
        maximumDecimals = UInt8(plan.maximumDecimals)
        minimumDecimals = UInt8(plan.minimumDecimals)
        minimumIntegerDigits = UInt8(plan.minimumIntegerDigits)
        places = Int8(plan.maximumDecimals + plan.shift)
        rounding = plan.rounding
        // At most 21 integer digits, each with a separator, and 19 decimals.
        room = text + longest + 21 * (1 + plan.groupSeparator.count) + 8 + 19 + MutableRawSpan.overrun
    }

    /// The number that a value is shown as; nil where finding it takes the shortest decimal.
    package func number(of value: Double) -> Number? {
        guard value.isFinite else { return nil }
        let isNegative = value < 0
        guard
            let units = DecimalUnits.fastUnits(
                value.magnitude, places: Int(places), rule: rounding, isNegative: isNegative)
        else { return nil }
        return Number(units: units, isNegative: isNegative && units != 0)
    }

    /// Puts the label with a number into room of at least `room` bytes.
    /// - Returns: Where it ends.
    package func put(_ number: Number, into out: inout MutableRawSpan, at start: Int) -> Int {
        let around = number.units == 0 ? zero : number.isNegative ? negative : positive
        var place = out.put(words.span, from: Int(around.prefix), count: Int(around.prefixCount), at: start)
        place = put(digits: number.units, into: &out, at: place)
        return out.put(words.span, from: Int(around.suffix), count: Int(around.suffixCount), at: place)
    }

    /// Appends the label with a number.
    package func append(_ number: Number, to bytes: inout [UInt8]) {
        bytes.append(room: room) { out, start in put(number, into: &out, at: start) }
    }

    @inline(__always)
    private func put(digits units: UInt64, into out: inout MutableRawSpan, at start: Int) -> Int {
        var units = units
        var decimals = Int(maximumDecimals)
        while decimals > minimumDecimals {
            let tenth = units / 10
            guard units == tenth &* 10 else { break }
            units = tenth
            decimals &-= 1
        }
        guard decimals > 0 else { return put(integer: units, into: &out, at: start) }
        let power = PowersOfTen.narrow(decimals)
        let integer = units / power
        var place = put(integer: integer, into: &out, at: start)
        place = out.put(decimalSeparator, count: Int(decimalSeparatorCount), at: place)
        return out.put(digits: units &- integer &* power, count: decimals, at: place)
    }

    @inline(__always)
    private func put(integer: UInt64, into out: inout MutableRawSpan, at start: Int) -> Int {
        let count = max(DecimalUnits.digitCount(integer), Int(minimumIntegerDigits))
        if primary > 0, count >= groupedFrom { return put(grouped: integer, count: count, into: &out, at: start) }
        return out.put(digits: integer, count: count, at: start)
    }

    /// Puts groups from the last to the first, each over what the one after it doesn't need.
    private func put(grouped integer: UInt64, count: Int, into out: inout MutableRawSpan, at start: Int) -> Int {
        // How many separators there are, the one next to the point first.
        let further = secondary > 0 ? (count - Int(primary) - 1) / Int(secondary) : 0
        var divisor = PowersOfTen.narrow(Int(primary))
        for _ in 0..<further { divisor &*= PowersOfTen.narrow(Int(secondary)) }
        var rest = integer
        var place = out.put(
            digits: rest / divisor, count: count - Int(primary) - further * Int(secondary), at: start)
        rest %= divisor
        for group in stride(from: further, through: 0, by: -1) {
            let size = Int(group == 0 ? primary : secondary)
            divisor = group == 0 ? 1 : divisor / PowersOfTen.narrow(size)
            place = out.put(groupSeparator, count: Int(groupSeparatorCount), at: place)
            place = out.put(digits: rest / divisor, count: size, at: place)
            rest %= divisor
        }
        return place
    }
}
