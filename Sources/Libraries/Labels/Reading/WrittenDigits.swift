// The digits of one number in a text, with the separators that are its own.

/// Where a number's digits stand, and which characters stand between them.
struct WrittenDigits {
    /// From the first digit, or the decimal sign before it, up to the last digit.
    let range: Range<Int>
    private let reading: DigitRuns.Reading
    /// Where the decimal sign stands, and the first of those between groups.
    private let decimalSign: Int?
    private let groupSign: Int?
    /// They are a clock's.
    private let clock: ClockShape?

    /// - Parameters:
    ///   - start: the first digit.
    ///   - end: behind the last one of the first run.
    ///   - hasPoint: the decimal sign stands before it.
    init(_ text: TextScalars, _ start: Int, upTo end: Int, hasPoint: Bool, by separators: NumberSeparators?) {
        let further = hasPoint ? [] : Self.furtherRuns(text, behind: end, zero: text.zero(start))
        let last = further.last.map { $0.start + $0.count } ?? end
        let isMoney = CurrencySign.before(start, in: text) != nil
        let runs = DigitRuns(
            first: end - start, further: further, startsWithZero: text.digit(start) == 0,
            currency: isMoney ? .before : CurrencySign.behind(last, in: text) != nil ? .behind : nil)
        reading = runs.reading(by: separators)
        groupSign = reading.groups > 0 ? further.first.map { $0.start - 1 } : nil
        let own = further.prefix(reading.runs - 1).last
        decimalSign = hasPoint ? start - 1 : reading.hasDecimals ? own.map { $0.start - 1 } : nil
        range = (hasPoint ? start - 1 : start)..<(own.map { $0.start + $0.count } ?? end)
        clock = nil
    }

    init(_ clock: WrittenClock) {
        (range, decimalSign, self.clock) = (clock.range, clock.decimalSign, clock.shape)
        (reading, groupSign) = (DigitRuns.Reading(), nil)
    }

    /// The runs of the same script's digits behind a first one, each behind one separator.
    private static func furtherRuns(_ text: TextScalars, behind end: Int, zero: UInt32?) -> [DigitRuns.Further] {
        var further: [DigitRuns.Further] = []
        var place = end
        while further.count < DigitRuns.limit, let separator = text[place], NumberSigns.isSeparator(separator),
            text.zero(place + 1) == zero
        {
            // The full-width ones go with full-width digits; elsewhere they part sentences.
            guard zero == 0xFF10 || separator != "\u{FF0C}" && separator != "\u{FF0E}" else { break }
            let start = place + 1
            place = start
            while text.zero(place) == zero { place += 1 }
            // Digits that are something else don't belong to the number.
            guard text.digit(place) == nil, !text.isCombining(place) else { break }
            further.append(DigitRuns.Further(separator: separator, start: start, count: place - start))
        }
        return further
    }

    /// Its value; nil where it has more digits than an exact decimal holds.
    func value(in text: TextScalars, isNegative: Bool) -> ExactDecimal? {
        var (coefficient, count, scale) = (Int128(0), 0, 0)
        // What a clock's units before the present one come to, each of them sixty of the next.
        var larger = Int128(0)
        for index in range {
            if clock != nil, text[index] == ":" {
                larger = (larger + coefficient) * 60
                (coefficient, count) = (0, 0)
            }
            // The last unit takes in the decimals.
            if clock != nil, let decimalSign, index == decimalSign { (coefficient, larger) = (larger + coefficient, 0) }
            guard let digit = text.digit(index) else { continue }
            if coefficient > 0 || digit > 0 { count += 1 }
            if let decimalSign, index > decimalSign { scale += 1 }
            guard max(count, scale) <= ExactDecimal.maximumDigits else { return nil }
            coefficient = coefficient * 10 + Int128(digit)
        }
        let whole = larger + coefficient
        return ExactDecimal(coefficient: isNegative ? -whole : whole, scale: scale)
    }

    /// How it is written.
    func style(in text: TextScalars, within surroundings: NumberSurroundings) -> WrittenStyle {
        let decimal = decimalSign.flatMap { text[$0] }
        let group = groupSign.flatMap { text[$0] }
        let zero = text.zero(decimalSign == range.lowerBound ? range.lowerBound + 1 : range.lowerBound)
        let integers = clock.map { minimumClockDigits(of: $0, in: text) } ?? minimumIntegerDigits(in: text)
        let isASCII = zero == UInt32(ASCII.zero)
        let isPlain =
            isASCII && group == nil && clock == nil && (decimal ?? ".") == "." && integers == 1 && surroundings.isPlain
        guard !isPlain else { return .plain }
        let digits = isASCII ? nil : zero.flatMap(Unicode.Scalar.init).flatMap(DigitSet.init(zero:))
        let grouping: NumberPlan.Grouping =
            group == nil ? .none : reading.isIndian ? NumberPlan.Grouping(primary: 3, secondary: 2) : .thousands
        return WrittenStyle(
            digits: digits ?? .ascii, decimalSeparator: Self.bytes(decimal ?? Self.usualDecimal(beside: group, zero)),
            groupSeparator: Self.bytes(group ?? ","), grouping: grouping, minimumIntegerDigits: integers,
            negative: surroundings.negative, plus: surroundings.plus, symbol: surroundings.symbol,
            unit: surroundings.unit, clock: clock)
    }

    /// Those of a clock with one digit in its first unit, or all that stand there where the first is a zero.
    private func minimumClockDigits(of shape: ClockShape, in text: TextScalars) -> Int {
        let least = shape == .hours ? 5 : 3
        guard text.digit(range.lowerBound) == 0 else { return least }
        let integers = range.lowerBound..<(decimalSign ?? range.upperBound)
        return min(max(least, integers.count { text.digit($0) != nil }), 21)
    }

    /// As many as stand before the decimals where the first one is a zero. None where a point was the first: English leaves
    /// the zero out, languages with a decimal comma don't.
    private func minimumIntegerDigits(in text: TextScalars) -> Int {
        guard text.digit(range.lowerBound) == 0 else {
            return decimalSign == range.lowerBound && text[range.lowerBound] == "." ? 0 : 1
        }
        let integers = range.lowerBound..<(decimalSign ?? range.upperBound)
        return min(integers.reduce(0) { $0 + (text.digit($1) == nil ? 0 : 1) }, 21)
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
