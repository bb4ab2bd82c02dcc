// Labels with a format, which writes more than the digits.

extension TickerLabel {
    /// Finds a number in a text that was written with a format, and writes others with it.
    ///
    /// What the format itself would write is tried first, then what people write in its place: its currency or percent sign on
    /// the other side, another currency. This is replaced with the number, which has its real value: `Load 50%` in the
    /// percent style is 0.5, `1.2K views` in compact notation is 1200.
    ///
    /// - Parameters:
    ///   - text: a label, with or without a number.
    ///   - index: which of its numbers moves; 0 is the first.
    ///   - format: how its number is written.
    ///   - plan: the compiled format.
    /// - Throws: `LabelError` for an index that is too high, and for a number of more than 38 digits.
    public init(_ text: String, index: Int = 0, format: NumberFormat, plan: NumberPlan) throws(LabelError) {
        try self.init(text, index, by: FormatAffixes(format, plan))
        if style !== WrittenStyle.plain, isWritten(text, by: plan) { style = .plain }
        adopt(plan, of: format)
    }

    /// Returns whether a plan writes the number exactly as it was found, so that the label leaves nothing open.
    private func isWritten(_ text: String, by plan: NumberPlan) -> Bool {
        guard let number else { return false }
        var own = self
        (own.style, own.plan) = (.plain, plan)
        own.plan.decimals = number.scale - plan.shift
        own.plan.compact = plan.compact.flatMap { CompactTable(forms: $0.forms, isSignificant: false) }
        return own.text(of: number) == text
    }

    /// Writes the number with another plan of the label's format. What the format leaves open stays as it was written.
    package mutating func adopt(_ plan: NumberPlan, of format: NumberFormat) {
        self.plan = style.merged(into: plan, of: format)
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
