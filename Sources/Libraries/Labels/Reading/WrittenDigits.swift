// The digits of one number in a text, with its separators.

/// The position of a number's digits, and the separators between them.
struct WrittenDigits {
    /// From the first digit, or the decimal sign before it, up to the last digit.
    let range: Range<Int>
    private let reading: DigitRuns.Reading
    /// The positions of the decimal sign and of the first group separator.
    private let decimalSign: Int?
    private let groupSign: Int?
    /// The shape if it is a clock.
    private let clock: ClockShape?

    /// - Parameters:
    ///   - start: the first digit.
    ///   - end: after the last one of the first run.
    ///   - hasPoint: whether a decimal sign precedes the first digit.
    init(_ text: TextScalars, _ start: Int, upTo end: Int, hasPoint: Bool, by separators: NumberSeparators?) {
        let further = hasPoint ? [] : Self.furtherRuns(text, behind: end, zero: text.zero(start), separators)
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

    /// Returns the further runs of the same script's digits, each after one separator.
    private static func furtherRuns(
        _ text: TextScalars, behind end: Int, zero: UInt32?, _ known: NumberSeparators?
    ) -> [DigitRuns.Further] {
        var further: [DigitRuns.Further] = []
        var place = end
        while further.count < DigitRuns.limit, let separator = text[place],
            NumberSigns.isSeparator(separator) || known?.contains(separator) == true, text.zero(place + 1) == zero
        {
            // Full-width separators belong to full-width digits; elsewhere they separate sentences.
            guard zero == 0xFF10 || separator != "\u{FF0C}" && separator != "\u{FF0E}" else { break }
            let start = place + 1
            place = start
            while text.zero(place) == zero { place += 1 }
            // Digits with a combining mark or of another script don't belong to the number.
            guard text.digit(place) == nil, !text.isCombining(place) else { break }
            further.append(DigitRuns.Further(separator: separator, start: start, count: place - start))
        }
        return further
    }

    /// Returns its value; nil if it has more digits than an exact decimal.
    func value(in text: TextScalars, isNegative: Bool) -> ExactDecimal? {
        var (coefficient, count, scale) = (Int128(0), 0, 0)
        // The sum of a clock's earlier units, in the present one.
        var larger = Int128(0)
        for index in range {
            if clock != nil, text[index] == ":" {
                larger = (larger + coefficient) * 60
                (coefficient, count) = (0, 0)
            }
            // The last unit includes the decimals. With the larger units it has more digits than were written of it.
            if clock != nil, let decimalSign, index == decimalSign {
                (coefficient, larger) = (larger + coefficient, 0)
                count = DecimalUnits(units: coefficient.magnitude).count
            }
            guard let digit = text.digit(index) else { continue }
            if coefficient > 0 || digit > 0 { count += 1 }
            if let decimalSign, index > decimalSign { scale += 1 }
            guard max(count, scale) <= ExactDecimal.maximumDigits else { return nil }
            coefficient = coefficient * 10 + Int128(digit)
        }
        let whole = larger + coefficient
        return ExactDecimal(coefficient: isNegative ? -whole : whole, scale: scale)
    }

    /// Returns how it is written.
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

    /// Returns the fewest digits of a clock: one in its first unit and two in the others, or as written if it begins with zero.
    private func minimumClockDigits(of shape: ClockShape, in text: TextScalars) -> Int {
        let least = shape == .hours ? 5 : 3
        guard text.digit(range.lowerBound) == 0 else { return least }
        let integers = range.lowerBound..<(decimalSign ?? range.upperBound)
        return min(max(least, integers.count { text.digit($0) != nil }), 21)
    }

    /// Returns the number of integer digits if the first one is zero. None after a leading point: English omits that zero,
    /// languages with a decimal comma don't.
    private func minimumIntegerDigits(in text: TextScalars) -> Int {
        guard text.digit(range.lowerBound) == 0 else {
            return decimalSign == range.lowerBound && text[range.lowerBound] == "." ? 0 : 1
        }
        let integers = range.lowerBound..<(decimalSign ?? range.upperBound)
        return min(integers.reduce(0) { $0 + (text.digit($1) == nil ? 0 : 1) }, 21)
    }

    /// Returns the decimal separator for a number without decimals. It always differs from the group separator.
    private static func usualDecimal(beside group: Unicode.Scalar?, _ zero: UInt32?) -> Unicode.Scalar {
        switch (group, zero) {
        case (_, 0x660), (_, 0x6F0): "\u{66B}"
        case (let group?, _) where group == "." || NumberSigns.isSpace(group): ","
        default: "."
        }
    }

    private static func bytes(_ scalar: Unicode.Scalar) -> [UInt8] { Array(String(scalar).utf8) }
}
