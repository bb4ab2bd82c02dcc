// A plan as frames need it: the number's rounding and layout as small integers, its text in words that its owner keeps.
// Plans whose digits or affixes depend on the number (plural, compact, exponents) have none, and are written by themselves.

/// A plan's numbers, put without counting a reference.
struct NumberLayout: Sendable {
    /// What stands around the digits for one sign, the label's text included: one text is put sooner than two.
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

    /// That of whole numbers without any text.
    init() {
        digits = DigitLayout(NumberPlan(decimals: 0)) { _ in WordRange() }
        (positive, negative, zero) = (Around(), Around(), Around())
        (places, rounding) = (0, .halfExpand)
    }

    /// Nil for a plan whose affixes depend on more than the sign of the rounded number.
    /// - Parameters:
    ///   - before: Text that stands before the number, and `after` behind it, whatever its sign.
    ///   - adopt: Takes in text as it is, at the beginning of a word, and tells where.
    init?(
        _ plan: NumberPlan, before: [UInt8] = [], after: [UInt8] = [], _ adopt: (Span<UInt8>) -> WordRange
    ) {
        // Beyond these places no number is rounded without its shortest decimal.
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

    /// The most bytes that `put` touches.
    var room: Int { digits.room + max(positive.count, negative.count, zero.count) }

    /// The number that a value is shown as, in units of its last digit: equal ones are equal texts, others aren't.
    /// - Returns: nil where finding it takes the shortest decimal.
    @inline(__always)
    func units(of value: Double) -> Int64? {
        guard value.isFinite else { return nil }
        let isNegative = value < 0
        guard
            let units = DecimalUnits.fastUnits(
                value.magnitude, places: Int(places), rule: rounding, isNegative: isNegative)
        else { return nil }
        // The fast way has at most 51 bits.
        let signed = Int64(bitPattern: units)
        return isNegative ? -signed : signed
    }

    /// Puts a number into room of at least `room` bytes.
    /// - Parameter words: What `adopt` took in.
    /// - Returns: Where it ends.
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
