// A label that counts: from the number in its text to another, the words around it untouched.

public import LabelMotion
import Labels
import Locales
public import Tween

/// Anything with a text will do; here it is a line of a terminal.
@MainActor
public final class Line: TextLabel {
    /// What the line reads.
    public var text: String

    /// A line that reads `text`.
    public init(_ text: String) { self.text = text }
}

/// Sends the number of a label to 250 in two seconds.
@MainActor
public func count(_ label: Line) -> Ticker? {
    Ticker.animate(label, to: 250)
}

/// Animates `Temperature: 13F` to 250 in two seconds, quickly at first.
@MainActor
public func warmUp(_ line: Line, on clock: any FrameClock = SystemClock(), done: @escaping @MainActor (Bool) -> Void) {
    Ticker.animate(line, to: 250, easing: .easeOut, on: clock, completion: done)
}

/// Tells a closure every number on the way from `0 items` to `12 items`, and its text.
@MainActor
public func countItems(on clock: any FrameClock = SystemClock(), show: @escaping @MainActor (Double, String) -> Void) {
    Ticker.animate(from: "0 items", to: 12, duration: .seconds(1), on: clock) { number, text in
        show(number, text)
    } completion: { finished in
        print(finished ? "all counted" : "interrupted")
    }
}

/// Counts a progress up to 75 %.
@MainActor
public func load(_ line: Line, on clock: any FrameClock = SystemClock(), finished: @escaping @MainActor () -> Void) {
    Ticker.animate(line, to: 75, options: [.progress(of: 100)], on: clock, completion: finished)
}

/// Fills a bar and its label from one closure.
@MainActor
public func fill(on clock: any FrameClock = SystemClock(), bar: @escaping @MainActor (Double, String) -> Void) {
    Ticker.animate(to: 175, options: [.progress(of: 200)], on: clock) { number, text in
        bar(number / 200, text)
    }
}

/// Counts an amount of money as German writes it, by a spring.
@MainActor
public func earn(_ amount: Double, on line: Line, clock: any FrameClock = SystemClock()) throws -> Ticker? {
    var balance = TickerLabel(prefix: "Balance: ", suffix: "")
    balance.plan = try NumberPlanCompiler.plan(
        for: NumberFormat(locale: "de-DE", style: .currency, currency: "EUR"))
    let spring = try Spring(dampingRatio: 1, response: 0.5)
    return Ticker.animate(line, to: amount, options: [.label(balance), .spring(spring)], on: clock)
}

/// Sends `Konto: 1.234,50 Punkte` on, read and written as German has it.
@MainActor
public func save(_ amount: Double, on line: Line, clock: any FrameClock = SystemClock()) throws -> Ticker? {
    let german = NumberFormat(locale: "de-DE")
    let plan = try NumberPlanCompiler.plan(for: german, decimals: 2)
    return Ticker.animate(line, to: amount, options: [.format(german, plan: plan)], on: clock)
}
