// What a progress' rendering is made from, besides the number's format.

package import Labels

/// A progress' texts, maximum and appearance, as clients sent them.
package struct ProgressStyle: Hashable, Sendable {
    package var label = ProgressRendering.defaultLabel
    /// The text that replaces the label while the maximum is unknown; nil: the label, or a standard text if it needs a maximum.
    package var indeterminate: String?
    package var maximum = TrackUpdate.Maximum.value(ProgressRendering.defaultMaximum)
    /// The amount that was done before the task began here; nil means none.
    package var initial: ExactDecimal?
    /// JSON that viewers receive unchanged.
    package var appearance: [UInt8]?

    /// Returns the style after an update.
    func applying(in update: TrackUpdate) -> ProgressStyle {
        var style = self
        style.label = update.label ?? label
        style.indeterminate = update.indeterminate ?? indeterminate
        style.maximum = update.maximum ?? maximum
        style.initial = update.initial ?? initial
        style.appearance = update.appearance ?? appearance
        return style
    }

    /// Returns the current template.
    /// - Parameters:
    ///   - format: The number's format.
    ///   - times: The words of its locale.
    /// - Throws: `CommandError.invalid` naming `label` or `indeterminate`.
    func template(_ format: NumberFormat?, _ times: TimeWords) throws(CommandError) -> ProgressLabel {
        var own = try Self.template(label, "label")
        // If a format names a locale, percentages use that locale's sign.
        if format != nil, label == ProgressRendering.defaultLabel { own = .signedPercent }
        own.showsShare = format?.style == .percent
        let words = try indeterminate.map { text throws(CommandError) in try Self.template(text, "indeterminate") }
        guard case .indeterminate = maximum else { return own }
        return words ?? (own.needsMaximum ? .indeterminate(in: times) : own)
    }

    private static func template(_ text: String, _ field: String) throws(CommandError) -> ProgressLabel {
        do {
            return try ProgressLabel(parsing: text)
        } catch {
            throw .invalid(field: field, reason: "\(error)")
        }
    }
}

extension NumberFormat {
    /// The formats of a progress' percentage for this number format: without a sign, and with the locale's sign.
    package var ofPercentages: (number: NumberFormat, signed: NumberFormat) {
        var number = NumberFormat(locale: locale)
        number.grouping = grouping
        number.rounding = .trunc
        var signed = number
        signed.style = .percent
        return (number, signed)
    }
}

extension NumberFormat {
    /// The formats that a progress with this number format needs, including those of its percentages and times.
    package var ofProgress: [NumberFormat] {
        [self, ofPercentages.number, ofPercentages.signed, NumberFormat(locale: locale)]
    }
}

extension PercentStyle {
    /// Returns the percent style of a progress.
    /// - Parameter decimals: Decimals that the client set.
    static func style(
        of format: NumberFormat?, decimals: Int?, _ planner: any Planner
    ) throws(CommandError) -> PercentStyle {
        let decimals = min(decimals ?? 0, maximumDecimals)
        guard let formats = format?.ofPercentages else {
            return decimals == 0 ? .whole : PercentStyle(decimals: decimals)
        }
        let number = try planner.plan(for: formats.number, decimals: decimals)
        var signed = try planner.plan(for: formats.signed, decimals: decimals)
        // It receives percents, not fractions.
        signed.shift = 0
        return PercentStyle(number: number, signed: signed)
    }
}
