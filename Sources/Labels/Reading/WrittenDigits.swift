// The digits of one number in a text, with the separators that are its own.

/// Where a number's digits stand, and which characters stand between them.
struct WrittenDigits {
    private let text: TextScalars
    /// From the first digit, or the decimal sign before it, up to the last digit.
    let range: Range<Int>
    private let reading: DigitRuns.Reading
    /// The first scalar of each run of digits.
    private let starts: [Int]
    private let hasPoint: Bool

    /// - Parameters:
    ///   - start: the first digit.
    ///   - hasPoint: the decimal sign stands before it.
    init(_ text: TextScalars, from start: Int, hasPoint: Bool, by separators: NumberSeparators?) {
        self.text = text
        self.hasPoint = hasPoint
        var runs = DigitRuns(counts: [])
        var starts: [Int] = []
        var (place, end) = (start, start)
        let zero = text.zero(start)
        while starts.count < DigitRuns.limit, text.zero(place) == zero {
            let first = place
            while text.zero(place) == zero { place += 1 }
            // Digits that are something else behind a separator don't belong to the number.
            guard starts.isEmpty || text.digit(place) == nil && !text.isCombining(place) else { break }
            starts.append(first)
            runs.counts.append(place - first)
            end = place
            guard !hasPoint, let separator = text[place], NumberSigns.isSeparator(separator) else { break }
            // The full-width ones go with full-width digits; elsewhere they part sentences.
            guard zero == 0xFF10 || separator != "\u{FF0C}" && separator != "\u{FF0E}" else { break }
            runs.separators.append(separator)
            place += 1
        }
        runs.separators.removeLast(runs.separators.count - max(0, runs.counts.count - 1))
        runs.startsWithZero = text.digit(start) == 0
        runs.currency =
            CurrencySign.before(start, in: text) != nil
            ? .before : CurrencySign.behind(end, in: text) != nil ? .behind : nil
        reading = runs.reading(by: separators)
        // proven: a reading has no more runs than there are.
        let last = reading.runs - 1
        range = (hasPoint ? start - 1 : start)..<(starts[last] + runs.counts[last])
        self.starts = Array(starts.prefix(reading.runs))
    }

    /// Its value; nil where it has more digits than an exact decimal holds.
    func value(isNegative: Bool) -> ExactDecimal? {
        var bytes: [UInt8] = isNegative ? [ASCII.minus] : []
        if hasPoint { bytes += [ASCII.zero, ASCII.point] }
        for index in range {
            if let digit = text.digit(index) {
                bytes.append(ASCII.zero + digit)
            } else if index == decimalIndex {
                bytes.append(ASCII.point)
            }
        }
        return ExactDecimal(parsing: bytes)
    }

    /// How it is written.
    func style(within surroundings: NumberSurroundings) -> WrittenStyle {
        let group = reading.groups > 0 ? text[starts[1] - 1] : nil
        let decimal = hasPoint ? text[range.lowerBound] : decimalIndex.flatMap { text[$0] }
        let zero = text.zero(hasPoint ? range.lowerBound + 1 : range.lowerBound)
        let digits = zero.flatMap(Unicode.Scalar.init).flatMap(DigitSet.init(zero:)) ?? .ascii
        let integers = minimumIntegerDigits
        let isPlain =
            digits.isASCII && group == nil && (decimal ?? ".") == "." && integers == 1 && surroundings.isPlain
        guard !isPlain else { return .plain }
        let grouping: NumberPlan.Grouping =
            group == nil ? .none : reading.isIndian ? NumberPlan.Grouping(primary: 3, secondary: 2) : .thousands
        return WrittenStyle(
            digits: digits, decimalSeparator: Self.bytes(decimal ?? Self.usualDecimal(beside: group, zero)),
            groupSeparator: Self.bytes(group ?? ","), grouping: grouping, minimumIntegerDigits: integers,
            negative: surroundings.negative, plus: surroundings.plus, currency: surroundings.currency,
            unit: surroundings.unit)
    }

    /// Where its decimal sign stands between digits.
    private var decimalIndex: Int? {
        guard reading.hasDecimals, let last = starts.last else { return nil }
        return last - 1
    }

    private var minimumIntegerDigits: Int {
        guard !hasPoint else { return 0 }
        let first = range.lowerBound
        let end = decimalIndex ?? range.upperBound
        let count = (first..<end).reduce(0) { $0 + (text.digit($1) == nil ? 0 : 1) }
        return text.digit(first) == 0 ? min(count, 21) : 1
    }

    /// What stands before decimals where the number showed none: never what stands between its groups.
    private static func usualDecimal(beside group: Unicode.Scalar?, _ zero: UInt32?) -> Unicode.Scalar {
        switch (group, zero) {
        case (_, 0x660), (_, 0x6F0): "\u{66B}"
        case (let group?, _) where group == "." || NumberSigns.isSpace(group): ","
        default: "."
        }
    }

    private static func bytes(_ scalar: Unicode.Scalar) -> [UInt8] { Array(String(scalar).utf8) }
}
