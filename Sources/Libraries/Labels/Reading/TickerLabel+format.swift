// Labels with a format: removes text that the format writes itself.

extension TickerLabel {
    /// Finds a number in a text that was written with a format, and writes others with it.
    ///
    /// The format's separators are tried first. Text that the format adds to the number is removed, and the number gets its
    /// real value: `Load 50%` in the percent style is 0.5, `1.2K views` in compact notation is 1200.
    ///
    /// - Parameters:
    ///   - text: a label, with or without a number.
    ///   - index: which of its numbers moves; 0 is the first.
    ///   - format: how its number is written.
    ///   - plan: the compiled format.
    /// - Throws: `LabelError` for an index that is too high, and for a number of more than 38 digits.
    public init(_ text: String, index: Int = 0, format: NumberFormat, plan: NumberPlan) throws(LabelError) {
        try self.init(reading: text, index: index, separators: NumberSeparators(plan))
        if number != nil { leave(toFormat: format, plan) }
        adopt(plan, of: format)
    }

    /// Writes the number with another plan of the label's format. What the format leaves open stays as it was written.
    package mutating func adopt(_ plan: NumberPlan, of format: NumberFormat) {
        self.plan = style.merged(into: plan, of: format)
    }

    /// Removes text that the format writes itself.
    private mutating func leave(toFormat format: NumberFormat, _ plan: NumberPlan) {
        dropExponent(of: plan)
        if format.isCompact { dropWord(of: plan) }
        switch format.style {
        case .percent: if dropPercentSign() { number = number?.shifted(by: 2) ?? number }
        case .unit: if format.unit == "percent" { _ = dropPercentSign() }
        case .currency: dropCurrency(of: format)
        case .compact, .decimal, .clock, .duration: break
        }
        dropText(of: plan)
    }

    /// Removes the percent sign on either side; returns false if there is none.
    private mutating func dropPercentSign() -> Bool {
        if style.hasPercentSign {
            style = style.withoutSymbol()
        } else if let rest = suffix.dropFirst(NumberSigns.isPercent) {
            suffix = rest
        } else if let rest = prefix.dropLast(NumberSigns.isPercent) {
            prefix = rest
        } else {
            return false
        }
        return true
    }

    private mutating func dropCurrency(of format: NumberFormat) {
        // With money, a percent sign is text.
        if style.hasPercentSign {
            prefix += style.symbol
            style = style.withoutSymbol()
        }
        if !style.symbol.isEmpty || !style.unit.isEmpty {
            style = style.withoutSymbol()
        } else {
            suffix = suffix.withoutCurrency(code: format.currency) ?? suffix
        }
        // The format writes accounting parentheses, which may also surround plain numbers.
        let parentheses = (UInt8(ascii: "("), UInt8(ascii: ")"))
        guard format.currencySign == .accounting, prefix.last == parentheses.0, suffix.first == parentheses.1 else {
            return
        }
        prefix.removeLast()
        suffix.removeFirst()
        number = number.map { -$0.magnitude }
    }

    private mutating func dropExponent(of plan: NumberPlan) {
        guard let exponent = plan.adaptive?.exponent, let (power, rest) = suffix.withoutExponent(exponent, plan.digits),
            let whole = number?.shifted(by: -power)
        else { return }
        suffix = rest
        number = whole
    }

    private mutating func dropWord(of plan: NumberPlan) {
        guard let (shift, rest) = suffix.withoutWord(of: plan) else { return }
        suffix = rest
        number = number?.shifted(by: -shift) ?? number
    }

    /// Removes what the plan writes on either side.
    private mutating func dropText(of plan: NumberPlan) {
        for affixes in [plan.affixes] + (plan.plural?.all ?? []) {
            if let rest = suffix.without(leading: affixes.positive.suffix) {
                suffix = rest
                return
            }
            if let rest = prefix.without(trailing: affixes.positive.prefix) {
                prefix = rest
                return
            }
        }
    }
}

extension ExactDecimal {
    /// Returns the value with its point moved to the left; nil if that needs more than 38 digits.
    func shifted(by places: Int) -> ExactDecimal? {
        guard places < 0 else { return ExactDecimal(coefficient: coefficient, scale: scale + places) }
        let zeros = max(0, -places - scale)
        guard zeros <= Self.maximumDigits else { return nil }
        let (product, overflow) = coefficient.multipliedReportingOverflow(by: Int128(PowersOfTen.wide(zeros)))
        return overflow ? nil : ExactDecimal(coefficient: product, scale: max(0, scale + places))
    }
}

extension [UInt8] {
    /// Returns a text beside a number without what a format writes there; nil if it contains nothing of that.
    /// - Parameter isBehind: Whether it follows the number.
    func withoutFormat(_ format: NumberFormat, _ plan: NumberPlan, isBehind: Bool) -> [UInt8]? {
        switch format.style {
        case .currency:
            if let rest = isBehind ? withoutCurrency(code: format.currency) : withoutLeadingCurrency(format.currency) {
                return rest
            }
        case .percent:
            if let rest = isBehind ? dropFirst(NumberSigns.isPercent) : dropLast(NumberSigns.isPercent) { return rest }
        case .unit, .decimal, .compact, .clock, .duration: break
        }
        for affixes in [plan.affixes] + (plan.plural?.all ?? []) {
            let rest =
                isBehind
                ? without(leading: affixes.positive.suffix) : without(trailing: affixes.positive.prefix)
            if let rest { return rest }
        }
        return nil
    }

    /// Returns the text without a currency's symbol or code at its end, and the space after it; nil if there is none.
    private func withoutLeadingCurrency(_ code: String?) -> [UInt8]? {
        let text = TextScalars(String(decoding: self, as: UTF8.self))
        if let sign = CurrencySign.before(text.count, in: text) { return Array(prefix(text.offset(sign.lowerBound))) }
        return code.flatMap { without(trailing: Array($0.uppercased().utf8)) }
    }

    private var scalars: String.UnicodeScalarView { String(decoding: self, as: UTF8.self).unicodeScalars }

    /// Returns the text without a first character of some kind, and the space before it; nil if there is none.
    fileprivate func dropFirst(_ isWanted: (Unicode.Scalar) -> Bool) -> [UInt8]? {
        var rest = scalars[...]
        if let first = rest.first, NumberSigns.isSpace(first) { rest.removeFirst() }
        guard let first = rest.first, isWanted(first) else { return nil }
        return Array(String(rest.dropFirst()).utf8)
    }

    /// Returns the text without a last character of some kind, and the space after it; nil if there is none.
    fileprivate func dropLast(_ isWanted: (Unicode.Scalar) -> Bool) -> [UInt8]? {
        var rest = scalars[...]
        if let last = rest.last, NumberSigns.isSpace(last) { rest.removeLast() }
        guard let last = rest.last, isWanted(last) else { return nil }
        return Array(String(rest.dropLast()).utf8)
    }

    /// Returns the text without a currency's symbol or code, and the space before it; nil if there is none.
    fileprivate func withoutCurrency(code: String?) -> [UInt8]? {
        if let rest = dropFirst({ $0.properties.generalCategory == .currencySymbol }) { return rest }
        return code.flatMap { without(leading: Array($0.uppercased().utf8)) }
    }

    /// Returns the text without a word of compact notation, and the places by which that shortens the number; nil if there
    /// is none.
    fileprivate func withoutWord(of plan: NumberPlan) -> (shift: Int, rest: [UInt8])? {
        for form in plan.compact?.forms ?? [] where form.shift > 0 {
            for affixes in form.affixes.all {
                if let rest = without(leading: affixes.positive.suffix) { return (form.shift, rest) }
            }
        }
        return nil
    }

    /// Returns the text without an exponent at its start, and that exponent; nil if there is none.
    fileprivate func withoutExponent(
        _ exponent: AdaptiveDigits.Exponent, _ digits: DigitSet
    ) -> (power: Int, rest: [UInt8])? {
        guard starts(with: exponent.separator) else { return nil }
        var rest = dropFirst(exponent.separator.count)
        let isNegative = rest.starts(with: exponent.minus)
        if isNegative { rest = rest.dropFirst(exponent.minus.count) }
        var power: Int?
        while let digit = (0..<10).first(where: { rest.starts(with: digits.text(of: $0).utf8) }) {
            power = (power ?? 0) * 10 + digit
            rest = rest.dropFirst(digits.width)
            // No supported number has an exponent of three digits.
            guard let power, power < 100 else { return nil }
        }
        return power.map { (isNegative ? -$0 : $0, [UInt8](rest)) }
    }

    /// Returns the text without a leading text, ignoring spaces; nil if it isn't there, or is part of a longer word.
    fileprivate func without(leading text: [UInt8]) -> [UInt8]? {
        let wanted = text.scalars.filter { !NumberSigns.isSpace($0) }
        var rest = scalars[...]
        guard !wanted.isEmpty else { return nil }
        for scalar in wanted {
            while let first = rest.first, NumberSigns.isSpace(first) { rest.removeFirst() }
            guard rest.popFirst() == scalar else { return nil }
        }
        if let next = rest.first, next.properties.isAlphabetic, wanted.last?.properties.isAlphabetic == true {
            return nil
        }
        return Array(String(rest).utf8)
    }

    /// Returns the text without a trailing text, ignoring spaces; nil if it isn't there, or is part of a longer word.
    fileprivate func without(trailing text: [UInt8]) -> [UInt8]? {
        let wanted = text.scalars.filter { !NumberSigns.isSpace($0) }
        var rest = scalars[...]
        guard !wanted.isEmpty else { return nil }
        for scalar in wanted.reversed() {
            while let last = rest.last, NumberSigns.isSpace(last) { rest.removeLast() }
            guard rest.popLast() == scalar else { return nil }
        }
        if let last = rest.last, last.properties.isAlphabetic, wanted.first?.properties.isAlphabetic == true {
            return nil
        }
        return Array(String(rest).utf8)
    }
}
