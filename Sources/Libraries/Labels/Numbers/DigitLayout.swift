// Writes the digits of a plan, for texts and for frames: only here do digits, separators and groups become bytes. It
// contains small integers only, so that a frame's label is copied and used without reference counting.

/// A plan's digits, with separators as ranges of words of text.
struct DigitLayout: Sendable {
    private let maximumDecimals: UInt8
    private let minimumDecimals: UInt8
    private let minimumIntegerDigits: UInt8
    /// Whether eight bytes can be written at a time: digits are ASCII, integer and decimals fit 64 bits each, a group fits a word
    /// with its separator, and no clock's first unit is longer.
    let isShort: Bool
    /// Bytes of a digit that isn't ASCII; 0 for ASCII, which needs no words.
    private let digitWidth: UInt8
    /// Digits in the group next to the point and in further groups; 0 for none.
    private let primary: UInt16
    private let secondary: UInt16
    /// For a clock: there is at most one further group, and before it the first unit with all its digits.
    private let isClock: Bool
    /// The fewest integer digits that are grouped.
    private let groupedFrom: UInt16
    /// The word of the digit 0; the others follow.
    private let digits: UInt16
    private let decimalSeparator: WordRange
    private let groupSeparator: WordRange
    /// The separators themselves, if they are short.
    private let decimalWord: UInt64
    private let groupWord: UInt64

    /// - Parameter adopt: Stores text unchanged at the start of a word, and returns its range. It must not
    ///   share equal texts: the digits' ranges follow each other.
    init(_ plan: NumberPlan, _ adopt: (Span<UInt8>) -> WordRange) {
        maximumDecimals = UInt8(plan.maximumDecimals)
        minimumDecimals = UInt8(plan.minimumDecimals)
        minimumIntegerDigits = UInt8(plan.minimumIntegerDigits)
        // No number has more digits than 16 bits count.
        primary = UInt16(clamping: plan.grouping.primary)
        secondary = UInt16(clamping: plan.grouping.secondary)
        isClock = plan.clock != nil
        groupedFrom = UInt16(clamping: Int(primary) + Int(UInt16(clamping: plan.grouping.minimum)))
        decimalSeparator = adopt(plan.decimalSeparator.span)
        groupSeparator = plan.grouping.primary > 0 ? adopt(plan.groupSeparator.span) : WordRange()
        isShort =
            plan.digits.isASCII && maximumDecimals < 20 && (1..<20).contains(minimumIntegerDigits)
            && max(primary, secondary) < 10 && !isClock
            && plan.decimalSeparator.count <= 8 && plan.groupSeparator.count <= 8
        decimalWord = isShort ? Self.word(plan.decimalSeparator.span) : 0
        groupWord = isShort ? Self.word(plan.groupSeparator.span) : 0
        guard !plan.digits.isASCII else {
            (digitWidth, digits) = (0, 0)
            return
        }
        let width = plan.digits.width
        digitWidth = UInt8(width)
        let all = plan.digits.bytes.span
        digits = adopt(all.extracting(first: width)).first
        for digit in 1..<10 { _ = adopt(all.extracting(droppingFirst: digit * width).extracting(first: width)) }
    }

    private static func word(_ text: Span<UInt8>) -> UInt64 {
        text.indices.reduce(0) { $0 | UInt64(text[$1]) << UInt64($1 * 8) }
    }

    /// Returns the most bytes that `put` writes for a number of this many digits.
    func room(integers: Int, decimals: Int) -> Int {
        let separators = primary > 0 ? integers * Int(groupSeparator.count) : 0
        return (integers + decimals) * max(1, Int(digitWidth)) + separators + Int(decimalSeparator.count)
            + MutableRawSpan.overrun
    }

    /// The most bytes that `put` writes for units.
    var room: Int {
        // 64 bits have 20 digits, and plans require at most 21.
        room(integers: 21, decimals: Int(maximumDecimals))
    }

    // MARK: - Digit by digit

    /// Writes a number into a buffer of at least `room` bytes.
    /// - Parameter words: The text that `adopt` stored.
    /// - Returns: The end position.
    func put(_ run: borrowing DigitRun, _ words: Span<UInt64>, into out: inout MutableRawSpan, at start: Int) -> Int {
        let count = run.integerCount
        // Digits up to the next separator; all of them without grouping.
        var group = count
        if primary > 0, count >= groupedFrom {
            let beyond = count - Int(primary)
            if isClock {
                group = beyond > Int(secondary) ? beyond - Int(secondary) : beyond
            } else {
                group = secondary == 0 ? beyond : (beyond - 1) % Int(secondary) + 1
            }
        }
        var place = start
        for index in 0..<count {
            if group == 0 {
                place = out.put(groupSeparator, of: words, at: place)
                group = count - index > Int(primary) ? Int(secondary) : Int(primary)
            }
            place = put(run[integer: index], words, into: &out, at: place)
            group -= 1
        }
        guard run.decimalCount > 0 else { return place }
        place = out.put(decimalSeparator, of: words, at: place)
        for index in 0..<run.decimalCount { place = put(run[decimal: index], words, into: &out, at: place) }
        return place
    }

    private func put(_ digit: UInt8, _ words: Span<UInt64>, into out: inout MutableRawSpan, at place: Int) -> Int {
        guard digitWidth > 0 else { return out.put(UInt64(ASCII.zero + digit), count: 1, at: place) }
        return out.put(words[Int(digits) + Int(digit)], count: Int(digitWidth), at: place)
    }

    /// Writes units into a buffer of at least `room` bytes.
    func put(units: UInt64, _ words: Span<UInt64>, into out: inout MutableRawSpan, at start: Int) -> Int {
        guard !isShort else { return putShort(units: units, into: &out, at: start) }
        let run = DigitRun(
            DecimalUnits(units: UInt128(units)), maximumDecimals: Int(maximumDecimals),
            minimumDecimals: Int(minimumDecimals), minimumIntegerDigits: Int(minimumIntegerDigits))
        return put(run, words, into: &out, at: start)
    }

    // MARK: - Eight digits at a time

    // Everything is inlined: a call that takes the layout by address would first copy it.

    /// Writes units of a short layout into a buffer of at least `room` bytes: the same text in a fraction of the time.
    /// - Returns: The end position.
    @inline(__always)
    func putShort(units: UInt64, into out: inout MutableRawSpan, at start: Int) -> Int {
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
        place = out.put(decimalWord, count: Int(decimalSeparator.count), at: place)
        return out.put(digits: units &- integer &* power, count: decimals, at: place)
    }

    @inline(__always)
    private func put(integer: UInt64, into out: inout MutableRawSpan, at start: Int) -> Int {
        let count = max(DecimalUnits.digitCount(integer), Int(minimumIntegerDigits))
        guard primary > 0, count >= groupedFrom else { return out.put(digits: integer, count: count, at: start) }
        return put(grouped: integer, count: count, into: &out, at: start)
    }

    /// Writes groups from the first to the last.
    @inline(__always)
    private func put(
        grouped integer: UInt64, count: Int, into out: inout MutableRawSpan, at start: Int
    ) -> Int {
        // The digits after the first group.
        var left = Int(primary)
        if secondary > 0 { while count &- left > Int(secondary) { left &+= Int(secondary) } }
        var (size, place) = (count &- left, start)
        // If all digits fit in one word, groups are cut from it without a division.
        var word = count <= 8 ? MutableRawSpan.eightDigits(integer) &>> UInt64(64 &- 8 &* count) : 0
        var rest = integer
        while true {
            if count <= 8 {
                place = out.put(word, count: size, at: place)
                word &>>= UInt64(8 &* size)
            } else {
                let divisor = PowersOfTen.narrow(left)
                let group = rest / divisor
                place = out.put(digits: group, count: size, at: place)
                rest &-= group &* divisor
            }
            guard left > 0 else { return place }
            place = out.put(groupWord, count: Int(groupSeparator.count), at: place)
            size = left > Int(primary) ? Int(secondary) : Int(primary)
            left &-= size
        }
    }
}
