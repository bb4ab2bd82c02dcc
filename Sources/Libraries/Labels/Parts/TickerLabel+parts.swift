// A label's text in pieces with their meaning, on request. Frames without parts don't need this.

extension TickerLabel {
    /// Returns the pieces of a moving value's text; joined, they are what ``append(_:to:)-(Double,_)`` appends.
    ///
    /// - Parameters:
    ///   - value: a number; one that isn't finite counts as zero.
    ///   - format: the format that the plan was compiled from, which distinguishes a currency from a unit; nil for none.
    public func parts(of value: Double, format: NumberFormat? = nil) -> [NumberPart] {
        parts(message?.form(for: value, plan)) { isShifted, parts in
            let number = isShifted ? message?.shifted(value) ?? value : value
            plan.append(plan.digits(of: number), isNegative: number < 0, format, to: &parts)
        }
    }

    /// Returns the pieces of an exact value's text; joined, they are ``text(of:)``.
    ///
    /// - Parameters:
    ///   - value: a number.
    ///   - format: the format that the plan was compiled from, which distinguishes a currency from a unit; nil for none.
    public func parts(of value: ExactDecimal, format: NumberFormat? = nil) -> [NumberPart] {
        parts(message?.form(for: value, plan)) { isShifted, parts in
            let number = isShifted ? message?.shifted(value) ?? value : value
            plan.append(plan.digits(of: number), isNegative: number.isNegative, format, to: &parts)
        }
    }

    private func parts(
        _ form: PluralMessage.Form?, number: (_ isShifted: Bool, inout [NumberPart]) -> Void
    ) -> [NumberPart] {
        let form = form ?? PluralMessage.Form(texts: [prefix, suffix], shifts: [false])
        var parts: [NumberPart] = []
        for (index, text) in form.texts.enumerated() {
            if index > 0 { number(form.shifts[index - 1], &parts) }
            parts.append(.literal, String(decoding: text, as: UTF8.self))
        }
        return parts
    }
}

extension NumberPlan {
    fileprivate func digits(of value: Double) -> ShownDigits {
        let magnitude = value.isFinite ? value.magnitude : 0
        guard hasFixedPlaces else { return digits(of: .double(magnitude), isNegative: value < 0) }
        return digits(
            of: DecimalUnits(
                rounding: magnitude, places: maximumDecimals + shift, rule: rounding, isNegative: value < 0),
            isNegative: value < 0)
    }

    fileprivate func digits(of value: ExactDecimal) -> ShownDigits {
        guard hasFixedPlaces else { return digits(of: .exact(value.magnitude), isNegative: value.isNegative) }
        return digits(of: units(of: value), isNegative: value.isNegative)
    }

    /// Appends the pieces of a number.
    fileprivate func append(
        _ shown: ShownDigits, isNegative: Bool, _ format: NumberFormat?, to parts: inout [NumberPart]
    ) {
        let affixes = shown.affixes
        let around = self.affixes(affixes, isZero: shown.run.isZero, isNegative: isNegative)
        let words = AffixParts(self, format)
        words.append(around.prefix, isPrefix: true, to: &parts)
        if !shown.standsAlone { appendDigits(shown.run, to: &parts) }
        if !shown.standsAlone, let power = shown.exponent, let exponent = adaptive?.exponent {
            parts.append(.exponentSeparator, String(decoding: exponent.separator, as: UTF8.self))
            if power < 0 { parts.append(.exponentMinusSign, String(decoding: exponent.minus, as: UTF8.self)) }
            let text = String(power.magnitude).utf8.map { digits.text(of: Int($0 - ASCII.zero)) }.joined()
            parts.append(.exponentInteger, text)
        }
        words.append(around.suffix, isPrefix: false, to: &parts)
    }

    private func appendDigits(_ run: DigitRun, to parts: inout [NumberPart]) {
        let count = run.integerCount
        let isGrouped = grouping.primary > 0 && count >= grouping.primary + grouping.minimum
        var group = ""
        for index in 0..<count {
            if isGrouped, index > 0, startsGroup(count - index) {
                parts.append(.integer, group)
                parts.append(.group, String(decoding: groupSeparator, as: UTF8.self))
                group = ""
            }
            group += digits.text(of: Int(run[integer: index]))
        }
        parts.append(.integer, group)
        guard run.decimalCount > 0 else { return }
        parts.append(.decimal, String(decoding: decimalSeparator, as: UTF8.self))
        parts.append(.fraction, (0..<run.decimalCount).map { digits.text(of: Int(run[decimal: $0])) }.joined())
    }
}
