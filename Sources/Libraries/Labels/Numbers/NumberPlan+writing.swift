// Writes numbers as UTF-8. Allocates nothing, except when the caller's buffer grows.

extension NumberPlan {
    /// Appends `value`, rounded as the shortest decimal that reads back as it. Writes zero for a value that isn't finite:
    /// frames and digit wheels have no other place for it, and whoever moves a number rejects it.
    public func append(_ value: Double, to bytes: inout [UInt8]) {
        let value = value.isFinite ? value : 0
        let isNegative = value < 0
        guard hasFixedPlaces else {
            append(digits(of: .double(value.magnitude), isNegative: isNegative), isNegative: isNegative, to: &bytes)
            return
        }
        if let units = DecimalUnits.fastUnits(
            value.magnitude, places: maximumDecimals + shift, rule: rounding, isNegative: isNegative)
        {
            append(DecimalUnits(units: UInt128(units)), isNegative: isNegative, to: &bytes)
            return
        }
        let units = DecimalUnits(
            slowlyRounding: value.magnitude, places: maximumDecimals + shift, rule: rounding, isNegative: isNegative)
        append(units, isNegative: isNegative, to: &bytes)
    }

    /// Appends `value`, rounded to this plan's digits and otherwise exact.
    public func append(_ value: ExactDecimal, to bytes: inout [UInt8]) {
        guard hasFixedPlaces else {
            let shown = digits(of: .exact(value.magnitude), isNegative: value.isNegative)
            append(shown, isNegative: value.isNegative, to: &bytes)
            return
        }
        let units = DecimalUnits(
            rounding: value.coefficient.magnitude, scale: value.scale, places: maximumDecimals + shift, rule: rounding,
            isNegative: value.isNegative)
        append(units, isNegative: value.isNegative, to: &bytes)
    }

    /// Returns the text of `value`; for tests, responses and descriptors, not for frames.
    public func text(of value: ExactDecimal) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text of `value`.
    public func text(of value: Double) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a word in place of the digits, for what has none: `-∞ €`. Words beside it are those of most numbers.
    package func text(around word: String, isNegative: Bool) -> String {
        let affixes = affixes(plural?.other ?? affixes, isZero: false, isNegative: isNegative)
        return String(decoding: affixes.prefix + Array(word.utf8) + affixes.suffix, as: UTF8.self)
    }

    private func append(_ units: DecimalUnits, isNegative: Bool, to bytes: inout [UInt8]) {
        if plural == nil, units.zeros == 0, let narrow = UInt64(exactly: units.units) {
            let affixes = affixes(affixes, isZero: narrow == 0, isNegative: isNegative)
            bytes.append(contentsOf: affixes.prefix)
            // 64 bits have 20 digits, and plans require at most 21.
            appendDigits(integers: 21, decimals: maximumDecimals, to: &bytes) { layout, words, out, start in
                layout.put(units: narrow, words, into: &out, at: start)
            }
            bytes.append(contentsOf: affixes.suffix)
            return
        }
        append(digits(of: units, isNegative: isNegative), isNegative: isNegative, to: &bytes)
    }

    /// Appends digits found before; in compact notation they differ from the plan's own.
    func append(_ shown: ShownDigits, isNegative: Bool, to bytes: inout [UInt8]) {
        let run = shown.run
        let affixes = affixes(shown.affixes, isZero: run.isZero, isNegative: isNegative)
        bytes.append(contentsOf: affixes.prefix)
        guard !shown.standsAlone else { return bytes.append(contentsOf: affixes.suffix) }
        appendDigits(integers: run.integerCount, decimals: run.decimalCount, to: &bytes) { layout, words, out, start in
            layout.put(run, words, into: &out, at: start)
        }
        if let power = shown.exponent { adaptive?.exponent?.append(power, digits, to: &bytes) }
        bytes.append(contentsOf: affixes.suffix)
    }

    /// Appends what `put` writes with this plan's layout.
    private func appendDigits(
        integers: Int, decimals: Int, to bytes: inout [UInt8],
        _ put: (DigitLayout, Span<UInt64>, inout MutableRawSpan, Int) -> Int
    ) {
        guard max(decimalSeparator.count, groupSeparator.count) <= 8 else {
            var words: [UInt64] = []
            let layout = DigitLayout(self) { words.adopt($0) }
            bytes.append(room: layout.room(integers: integers, decimals: decimals)) { put(layout, words.span, &$0, $1) }
            return
        }
        // Two separators and ten digits take one word each, without an allocation.
        var words = InlineArray<12, UInt64>(repeating: 0)
        var count: UInt16 = 0
        let layout = DigitLayout(self) { text in
            defer { count += 1 }
            for index in text.indices { words[Int(count)] |= UInt64(text[index]) << UInt64(index * 8) }
            return WordRange(first: count, count: UInt16(text.count))
        }
        bytes.append(room: layout.room(integers: integers, decimals: decimals)) { put(layout, words.span, &$0, $1) }
    }

    /// Returns whether a separator precedes the digit with `remaining` digits left before the point, itself included.
    func startsGroup(_ remaining: Int) -> Bool {
        grouping.starts(at: remaining) && (clock == nil || remaining <= grouping.primary + grouping.secondary)
    }

    /// Returns the text around a number's digits.
    func affixes(_ signed: SignedAffixes, isZero: Bool, isNegative: Bool) -> Affixes {
        if isZero, !(isNegative && marksNegativeZero) { return signed.zero }
        return isNegative ? signed.negative : signed.positive
    }
}

extension DecimalUnits {
    /// Returns the digits in the layout of `plan`.
    func run(in plan: NumberPlan) -> DigitRun {
        DigitRun(
            self, maximumDecimals: plan.maximumDecimals, minimumDecimals: plan.minimumDecimals,
            minimumIntegerDigits: plan.minimumIntegerDigits)
    }
}
