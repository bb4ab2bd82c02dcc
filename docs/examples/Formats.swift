// Money and progress as text: a plan is compiled once, and a frame only appends bytes.

import Foundation
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
    return label.text(current: count, of: total)
}

/// `1.234,50 €`, by a style such as Foundation's own.
public func money(_ value: Double) throws -> String {
    let euros = try NumberFormatStyle(NumberFormat(locale: "de-DE", style: .currency, currency: "EUR"))
    return value.formatted(euros)
}

/// `noch 2 Stunden, 5 Minuten`: the words are CLDR's.
public func launch(in seconds: Int) throws -> String {
    var countdown = try CountdownLabel(parsing: "noch {words}")
    countdown.words = try .words(in: "de-DE")
    return countdown.text(of: TimeSpan(seconds: seconds))
}
