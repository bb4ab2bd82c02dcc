// The frame path: a number in, UTF-8 appended. No allocation beyond the growth of the caller's buffer.

extension NumberPlan {
    /// Appends `value`, rounded as the shortest decimal that reads back as it. Zero stands in for what is not finite
    /// (numbers are refused long before they get here).
    public func append(_ value: Double, to bytes: inout [UInt8]) {
        let value = value.isFinite ? value : 0
        let isNegative = value < 0
        if compact != nil {
            appendCompact(.double(value.magnitude), isNegative: isNegative, to: &bytes)
            return
        }
        if let units = DecimalUnits.fastUnits(
            value.magnitude, places: maximumDecimals + shift, rule: rounding, isNegative: isNegative)
        {
            append(units: units, isNegative: isNegative, to: &bytes)
            return
        }
        let units = DecimalUnits(
            slowlyRounding: value.magnitude, places: maximumDecimals + shift, rule: rounding, isNegative: isNegative)
        append(units, isNegative: isNegative, to: &bytes)
    }

    /// Appends `value`, rounded to this plan's digits and otherwise exact.
    public func append(_ value: ExactDecimal, to bytes: inout [UInt8]) {
        if compact != nil {
            appendCompact(.exact(value.magnitude), isNegative: value.isNegative, to: &bytes)
            return
        }
        let units = DecimalUnits(
            rounding: value.coefficient.magnitude, scale: value.scale, places: maximumDecimals + shift, rule: rounding,
            isNegative: value.isNegative)
        append(units, isNegative: value.isNegative, to: &bytes)
    }

    /// The text of `value`; for tests, answers and descriptors, not for frames.
    public func text(of value: ExactDecimal) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of `value`.
    public func text(of value: Double) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(units: UInt64, isNegative: Bool, to bytes: inout [UInt8]) {
        if plural == nil, digits.isASCII {
            var line = NumberLine()
            if line.write(units, isNegative: isNegative, self) {
                line.append(to: &bytes)
                return
            }
        }
        append(DecimalUnits(units: UInt128(units)), isNegative: isNegative, to: &bytes)
    }

    private func append(_ units: DecimalUnits, isNegative: Bool, to bytes: inout [UInt8]) {
        let run = DigitRun(
            units, maximumDecimals: maximumDecimals, minimumDecimals: minimumDecimals,
            minimumIntegerDigits: minimumIntegerDigits)
        if let plural {
            let affixes = plural.affixes(for: run.operands)
            append(run, within: affixes, isNegative: isNegative, to: &bytes)
        } else {
            append(run, within: affixes, isNegative: isNegative, to: &bytes)
        }
    }

    func append(_ run: DigitRun, within affixes: SignedAffixes, isNegative: Bool, to bytes: inout [UInt8]) {
        appendPrefix(affixes, isZero: run.isZero, isNegative: isNegative, to: &bytes)
        append(run, to: &bytes)
        appendSuffix(affixes, isZero: run.isZero, isNegative: isNegative, to: &bytes)
    }

    private func append(_ run: DigitRun, to bytes: inout [UInt8]) {
        let integers = run.integerCount
        let isGrouped = grouping.primary > 0 && integers >= grouping.primary + grouping.minimum
        for index in 0..<integers {
            if isGrouped, index > 0, startsGroup(integers - index) {
                bytes.append(contentsOf: groupSeparator)
            }
            digits.append(run[integer: index], to: &bytes)
        }
        guard run.decimalCount > 0 else { return }
        bytes.append(contentsOf: decimalSeparator)
        for index in 0..<run.decimalCount {
            digits.append(run[decimal: index], to: &bytes)
        }
    }

    /// Whether a separator stands before the digit with `remaining` digits left before the point, itself included.
    func startsGroup(_ remaining: Int) -> Bool {
        remaining == grouping.primary
            || (remaining > grouping.primary && grouping.secondary > 0
                && (remaining - grouping.primary).isMultiple(of: grouping.secondary))
    }

    private func appendPrefix(_ affixes: SignedAffixes, isZero: Bool, isNegative: Bool, to bytes: inout [UInt8]) {
        if isZero {
            bytes.append(contentsOf: affixes.zero.prefix)
        } else if isNegative {
            bytes.append(contentsOf: affixes.negative.prefix)
        } else {
            bytes.append(contentsOf: affixes.positive.prefix)
        }
    }

    private func appendSuffix(_ affixes: SignedAffixes, isZero: Bool, isNegative: Bool, to bytes: inout [UInt8]) {
        if isZero {
            bytes.append(contentsOf: affixes.zero.suffix)
        } else if isNegative {
            bytes.append(contentsOf: affixes.negative.suffix)
        } else {
            bytes.append(contentsOf: affixes.positive.suffix)
        }
    }
}

extension DecimalUnits {
    /// The digits as `plan` lays them out.
    func run(in plan: NumberPlan) -> DigitRun {
        DigitRun(
            self, maximumDecimals: plan.maximumDecimals, minimumDecimals: plan.minimumDecimals,
            minimumIntegerDigits: plan.minimumIntegerDigits)
    }
}
