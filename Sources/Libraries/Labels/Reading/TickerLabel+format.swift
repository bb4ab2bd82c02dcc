// A label that has a format: what the format writes beside its number, the label's own text doesn't say a second time.

extension TickerLabel {
    /// Finds a number in a text that was written by a format, and writes others by it.
    ///
    /// The format's separators are looked for first. What it writes beside the number goes from the text, and the number is
    /// the one that was meant: `Load 50%` under the percent style holds 0.5, `1.2K views` in compact notation 1200.
    ///
    /// - Parameters:
    ///   - text: a label; one without a number is fine.
    ///   - index: which of its numbers moves; 0 is the first.
    ///   - format: how its number is written.
    ///   - plan: the format compiled.
    /// - Throws: `LabelError` for an index that is too high, and for a number of more than 38 digits.
    public init(_ text: String, index: Int = 0, format: NumberFormat, plan: NumberPlan) throws(LabelError) {
        try self.init(reading: text, index: index, separators: NumberSeparators(plan))
        if number != nil { leave(toFormat: format, plan) }
        adopt(plan, of: format)
    }

    /// Writes the number by another plan of the label's format; what the format leaves open stays as it was written.
    package mutating func adopt(_ plan: NumberPlan, of format: NumberFormat) {
        self.plan = style.merged(into: plan, of: format)
    }

    /// Drops from the text what the format writes by itself.
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

    /// Drops the percent sign on either side; false where there is none.
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
        // Beside money a percent sign is text.
        if style.hasPercentSign {
            prefix += style.symbol
            style = style.withoutSymbol()
        }
        if !style.symbol.isEmpty || !style.unit.isEmpty {
            style = style.withoutSymbol()
        } else {
            suffix = suffix.withoutCurrency(code: format.currency) ?? suffix
        }
        // The format has the parentheses of accounts, which stand around plain numbers too.
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

    /// Drops what the plan writes on either side.
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
    /// The value with its point moved to the left; nil where that takes more than 38 digits.
    func shifted(by places: Int) -> ExactDecimal? {
        guard places < 0 else { return ExactDecimal(coefficient: coefficient, scale: scale + places) }
        let zeros = max(0, -places - scale)
        guard zeros <= Self.maximumDigits else { return nil }
        let (product, overflow) = coefficient.multipliedReportingOverflow(by: Int128(PowersOfTen.wide(zeros)))
        return overflow ? nil : ExactDecimal(coefficient: product, scale: max(0, scale + places))
    }
}

extension [UInt8] {
    /// A text beside a number without what a format writes there; nil where it has nothing of the kind.
    /// - Parameter isBehind: It stands behind the number.
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

    /// Without the sign or the code of a currency at its end, and the space behind it; nil where there is none.
    private func withoutLeadingCurrency(_ code: String?) -> [UInt8]? {
        let text = TextScalars(String(decoding: self, as: UTF8.self))
        if let sign = CurrencySign.before(text.count, in: text) { return Array(prefix(text.offset(sign.lowerBound))) }
        return code.flatMap { without(trailing: Array($0.uppercased().utf8)) }
    }

    private var scalars: String.UnicodeScalarView { String(decoding: self, as: UTF8.self).unicodeScalars }

    /// Without a first character of some kind, and the space before it; nil where there is none.
    fileprivate func dropFirst(_ isWanted: (Unicode.Scalar) -> Bool) -> [UInt8]? {
        var rest = scalars[...]
        if let first = rest.first, NumberSigns.isSpace(first) { rest.removeFirst() }
        guard let first = rest.first, isWanted(first) else { return nil }
        return Array(String(rest.dropFirst()).utf8)
    }

    /// Without a last character of some kind, and the space behind it; nil where there is none.
    fileprivate func dropLast(_ isWanted: (Unicode.Scalar) -> Bool) -> [UInt8]? {
        var rest = scalars[...]
        if let last = rest.last, NumberSigns.isSpace(last) { rest.removeLast() }
        guard let last = rest.last, isWanted(last) else { return nil }
        return Array(String(rest.dropLast()).utf8)
    }

    /// Without the sign or the code of a currency, and the space before it; nil where there is none.
    fileprivate func withoutCurrency(code: String?) -> [UInt8]? {
        if let rest = dropFirst({ $0.properties.generalCategory == .currencySymbol }) { return rest }
        return code.flatMap { without(leading: Array($0.uppercased().utf8)) }
    }

    /// Without a word of compact notation, and by how many places it shortens the number; nil where there is none.
    fileprivate func withoutWord(of plan: NumberPlan) -> (shift: Int, rest: [UInt8])? {
        for form in plan.compact?.forms ?? [] where form.shift > 0 {
            for affixes in form.affixes.all {
                if let rest = without(leading: affixes.positive.suffix) { return (form.shift, rest) }
            }
        }
        return nil
    }

    /// Without an exponent at its beginning, and that exponent; nil where there is none.
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
            // No number that can be held has an exponent of three digits.
            guard let power, power < 100 else { return nil }
        }
        return power.map { (isNegative ? -$0 : $0, [UInt8](rest)) }
    }

    /// Without text at its beginning, spaces aside; nil where it isn't there, or goes on as a longer word.
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

    /// Without text at its end, spaces aside; nil where it isn't there, or begins within a longer word.
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
