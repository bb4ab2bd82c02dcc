// The requested motion of a label's number, with all defaults filled in. A value without behaviour.

import Labels
import Tween

/// A number's target and how it gets there.
struct TickerSettings: Hashable, Sendable {
    let target: ExactDecimal
    /// Digits after the point. Separate from the target, since a decimal equals itself with more zeros. Nil uses the label's
    /// own.
    private var decimals: Int?
    private(set) var index = 0
    private var tickerLabel: TickerLabel?
    /// The text of a progress, which replaces the number.
    private(set) var progress: ProgressText?
    /// It goes there and back, so its target doesn't tell its current direction.
    private(set) var goesToAndFro = false
    private var format: NumberFormat?
    private var plan: NumberPlan?
    private(set) var framesPerSecond = 60.0
    private var start = 0.0
    private var delay = 0.0
    private var endDelay = 0.0
    private var cycles = Cycles.once
    private var spring: Spring?
    private let duration: Double
    private let easing: Easing

    /// Nil for a progress of no amount.
    init?(to target: ExactDecimal, duration: Double, easing: Easing, options: [Ticker.Option]) {
        self.target = target
        self.duration = duration
        self.easing = easing
        // The first of a kind counts, so it is applied last.
        var wished: Int?
        var (repeats, isReturning, repeatDelay) = (0.0, false, 0.0)
        for option in options.reversed() {
            switch option.kind {
            case .decimals(let count): wished = count
            case .delay(let seconds): delay = Self.wait(seconds)
            case .endDelay(let seconds): endDelay = Self.wait(seconds)
            case .repeating(let count, let autoreverse, let delay):
                (repeats, isReturning, repeatDelay) = (count, autoreverse, delay)
            case .autoreverse: break
            case .spring(let spring): self.spring = spring
            case .number(let index): self.index = max(0, index)
            case .framesPerSecond(let count): framesPerSecond = count >= 1 ? min(count, 1_000) : 1
            case .label(let label, let start): (tickerLabel, self.start) = (label, start.isFinite ? start : 0)
            case .progress(let template, let maximum, let start):
                guard let maximum, !maximum.isNegative else { return nil }
                (tickerLabel, self.start) = (TickerLabel(prefix: "", suffix: ""), start.isFinite ? start : 0)
                let decimals = wished ?? target.scale
                progress = ProgressText(template, maximum: maximum, target: target, decimals: decimals)
            case .format(let format, let plan): (self.format, self.plan) = (format, plan)
            }
        }
        isReturning = isReturning || options.contains(.autoreverse)
        goesToAndFro = isReturning
        cycles = Cycles(repeats: repeats, autoreverse: isReturning, repeatDelay: repeatDelay)
        // A given label or format has its own decimals.
        let hasOwn = progress == nil && (tickerLabel != nil || plan != nil)
        decimals = hasOwn ? wished : Decimals.shown(given: wished, scale: target.scale, in: nil)
    }

    private static func wait(_ seconds: Double) -> Double {
        seconds > 0 && seconds.isFinite ? seconds : 0
    }

    /// Returns the label for a text: the text around the number and its format. Nil if the text has no such number.
    func tickerLabel(for text: String) -> TickerLabel? {
        if tickerLabel != nil { return tickerLabel(instead: TickerLabel(prefix: "", suffix: "")) }
        if let format, let plan {
            let found = try? TickerLabel(text, index: index, format: format, plan: plan)
            return found.map { tickerLabel(instead: $0) }
        }
        let found = TickerLabel(text, index: index)
        return index == 0 || found.number != nil ? tickerLabel(instead: found) : nil
    }

    /// Returns the label for a number that moves on `other`.
    func tickerLabel(instead other: TickerLabel) -> TickerLabel {
        var tickerLabel = tickerLabel ?? other
        if let decimals { tickerLabel.plan.decimals = decimals }
        return tickerLabel
    }

    /// Returns the progress of a number that moves on `other`.
    func progress(instead other: ProgressText?) -> ProgressText? {
        guard progress == nil, tickerLabel == nil, plan == nil else { return progress }
        return other?.moved(to: target, decimals: decimals ?? target.scale)
    }

    /// Returns the initial number on a label.
    func start(on tickerLabel: TickerLabel) -> Double {
        self.tickerLabel == nil ? tickerLabel.number?.double ?? 0 : start
    }

    /// Returns the exact initial number; nil if it has more than 38 digits.
    func origin(on tickerLabel: TickerLabel) -> ExactDecimal? {
        self.tickerLabel == nil ? tickerLabel.number ?? .zero : ExactDecimal(start)
    }

    /// Returns how the number gets there. Whoever runs a spring lowers its threshold with `settleAtRest`, so that it ends at rest
    /// and not with its text.
    func course(on tickerLabel: TickerLabel) -> Motion.Course {
        if let spring {
            return .spring(
                spring, delay: delay, endDelay: endDelay, cycles: cycles, threshold: tickerLabel.plan.halfUnit)
        }
        return .timed(
            Timing(duration: duration, delay: delay, endDelay: endDelay, cycles: cycles, easing: easing))
    }
}
