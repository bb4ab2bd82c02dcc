// Money and progress as text: a plan is compiled once, and a frame only appends bytes.

public import Labels
import Locales

/// `1.234,50 €` for 1234.5: the plan comes from CLDR's data, once.
public func price(_ value: Double) throws -> String {
    var label = TickerLabel("0 per month")
    label.plan = try NumberPlanCompiler.plan(
        for: NumberFormat(locale: "de-DE", style: .currency, currency: "EUR"), decimals: nil)
    var bytes: [UInt8] = []
    label.append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

/// `Balance: -2.500,75 €` in place of `Balance: 1.234,50 €`: the label is read by the separators of its country.
public func balance(_ text: String, _ value: ExactDecimal) throws -> String {
    let format = NumberFormat(locale: "de-DE")
    let label = try TickerLabel(text, format: format, plan: NumberPlanCompiler.plan(for: format, decimals: 2))
    return label.text(of: value)
}

/// `29 of 100 files, 29%`: the percentage is exact, and 100 only when it is done.
public func files(_ count: Int, of total: Int) throws -> String {
    let label = try ProgressLabel(parsing: "{current} of {maximum} files, {percent}%")
    var values = ProgressLabel.Values(value: Double(count), exactCurrent: ExactDecimal(count))
    values.maximum = ExactDecimal(total)
    values.percent = ProgressMath.percent(current: ExactDecimal(count), maximum: ExactDecimal(total))
    return label.text(of: values)
}
