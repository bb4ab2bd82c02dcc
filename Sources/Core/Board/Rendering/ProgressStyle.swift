// What a progress' rendering is made of beside its number's format.

package import Labels

/// A progress' texts, maximum and looks, as they were given.
package struct ProgressStyle: Hashable, Sendable {
    package var label = ProgressRendering.defaultLabel
    /// What is shown in place of the label while nobody knows the maximum; nil: the label, or words where that needs one.
    package var indeterminate: String?
    package var maximum = TrackUpdate.Maximum.value(ProgressRendering.defaultMaximum)
    /// Up to where it was done before the task began here; nil: nothing was.
    package var initial: ExactDecimal?
    /// JSON handed to viewers as it is.
    package var appearance: [UInt8]?

    /// Takes what an update gives.
    func applying(in update: TrackUpdate) -> ProgressStyle {
        var style = self
        style.label = update.label ?? label
        style.indeterminate = update.indeterminate ?? indeterminate
        style.maximum = update.maximum ?? maximum
        style.initial = update.initial ?? initial
        style.appearance = update.appearance ?? appearance
        return style
    }

    /// The template in force.
    /// - Parameters:
    ///   - format: That of the number.
    ///   - times: The words of its locale.
    /// - Throws: `CommandError.invalid` naming `label` or `indeterminate`.
    func template(_ format: NumberFormat?, _ times: TimeWords) throws(CommandError) -> ProgressLabel {
        var own = try Self.template(label, "label")
        // Where a format names a locale, its percentages have that locale's sign.
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
    /// The formats of a progress' percentage beside numbers of this one: alone, and with the locale's sign.
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
    /// What a progress needs whose numbers have this format: that of its percentages and times, too.
    package var ofProgress: [NumberFormat] {
        [self, ofPercentages.number, ofPercentages.signed, NumberFormat(locale: locale)]
    }
}

extension PercentStyle {
    /// That of a progress' numbers.
    /// - Parameter decimals: Digits after the point that the client fixed.
    static func style(
        of format: NumberFormat?, decimals: Int?, _ planner: any Planner
    ) throws(CommandError) -> PercentStyle {
        let decimals = min(decimals ?? 0, maximumDecimals)
        guard let formats = format?.ofPercentages else {
            return decimals == 0 ? .whole : PercentStyle(decimals: decimals)
        }
        let number = try planner.plan(for: formats.number, decimals: decimals)
        var signed = try planner.plan(for: formats.signed, decimals: decimals)
        // It is given percents, not shares.
        signed.shift = 0
        return PercentStyle(number: number, signed: signed)
    }
}
