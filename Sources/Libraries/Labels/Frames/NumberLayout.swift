// A plan compiled for frames: the number's rounding and layout as small integers, and its text in words that its owner
// stores. Plans whose digits or affixes depend on the number (plural, compact, exponents) can't be compiled and write
// themselves.

/// Writes a plan's numbers without reference counting.
struct NumberLayout: Sendable {
    /// The text around the digits for one sign, including the label's text: writing one text is faster than two.
    private struct Around {
        var prefix: WordRange
        var suffix: WordRange
        var count: Int { Int(prefix.count) + Int(suffix.count) }

        init() { (prefix, suffix) = (WordRange(), WordRange()) }

        init(_ affixes: Affixes, before: [UInt8], after: [UInt8], _ adopt: (Span<UInt8>) -> WordRange) {
            prefix = adopt((before + affixes.prefix).span)
            suffix = adopt((affixes.suffix + after).span)
        }
    }

    private let digits: DigitLayout
    private let positive: Around
    private let negative: Around
    private let zero: Around
    private let places: Int8
    private let rounding: RoundingRule

    /// Creates the layout of integers without any text.
    init() {
        digits = DigitLayout(NumberPlan(decimals: 0)) { _ in WordRange() }
        (positive, negative, zero) = (Around(), Around(), Around())
        (places, rounding) = (0, .halfExpand)
    }

    /// Nil for a plan whose affixes depend on more than the rounded number's sign.
    /// - Parameters:
    ///   - before: Text before the number, and `after` after it, for any sign.
    ///   - adopt: Stores text unchanged at the start of a word, and returns its range.
    init?(
        _ plan: NumberPlan, before: [UInt8] = [], after: [UInt8] = [], _ adopt: (Span<UInt8>) -> WordRange
    ) {
        // More places than these always need the shortest decimal.
        guard plan.hasFixedPlaces, plan.plural == nil, !plan.marksNegativeZero, let shift = Int8(exactly: plan.shift)
        else { return nil }
        let places = plan.maximumDecimals + Int(shift)
        guard let places = Int8(exactly: places) else { return nil }
        self.places = places
        rounding = plan.rounding
        digits = DigitLayout(plan, adopt)
        positive = Around(plan.affixes.positive, before: before, after: after, adopt)
        negative = Around(plan.affixes.negative, before: before, after: after, adopt)
        zero = Around(plan.affixes.zero, before: before, after: after, adopt)
    }

    /// The most bytes that `put` writes.
    var room: Int { digits.room + max(positive.count, negative.count, zero.count) }

    /// Returns the number that shows a value, in units of its last digit. Texts are equal exactly if these are.
    /// - Returns: nil if that needs the shortest decimal.
    @inline(__always)
    func units(of value: Double) -> Int64? {
        guard value.isFinite else { return nil }
        let isNegative = value < 0
        guard
            let units = DecimalUnits.fastUnits(
                value.magnitude, places: Int(places), rule: rounding, isNegative: isNegative)
        else { return nil }
        // The fast path returns at most 51 bits.
        let signed = Int64(bitPattern: units)
        return isNegative ? -signed : signed
    }

    /// Writes a number into a buffer of at least `room` bytes.
    /// - Parameter words: The text that `adopt` stored.
    /// - Returns: The end position.
    @inline(__always)
    func put(_ units: Int64, _ words: Span<UInt64>, into out: inout MutableRawSpan, at start: Int) -> Int {
        let around = units == 0 ? zero : units < 0 ? negative : positive
        var place = around.prefix.count == 0 ? start : out.put(around.prefix, of: words, at: start)
        place =
            digits.isShort
            ? digits.putShort(units: units.magnitude, into: &out, at: place)
            : putDigitByDigit(units.magnitude, words, into: &out, at: place)
        return around.suffix.count == 0 ? place : out.put(around.suffix, of: words, at: place)
    }

    @inline(never)
    private func putDigitByDigit(
        _ units: UInt64, _ words: Span<UInt64>, into out: inout MutableRawSpan, at start: Int
    ) -> Int {
        digits.put(units: units, words, into: &out, at: start)
    }
}
