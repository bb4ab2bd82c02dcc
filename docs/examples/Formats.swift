// Money and progress as text: a plan is compiled once, and a frame only appends bytes.

import Labels
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

/// `29 of 100 files, 29%`: the percentage is exact, and 100 only when it is done.
public func files(_ count: Int, of total: Int) throws -> String {
    let label = try ProgressLabel(parsing: "{current} of {maximum} files, {percent}%")
    var values = ProgressLabel.Values(value: Double(count), exactCurrent: ExactDecimal(count))
    values.maximum = ExactDecimal(total)
    values.percent = ProgressMath.percent(current: ExactDecimal(count), maximum: ExactDecimal(total))
    return label.text(of: values)
}
