// One motion of a label's number as it was asked for, with every default filled in. A value: it moves nothing.

import Labels
import Tween

/// Where a number goes and how.
struct TickerSettings: Hashable, Sendable {
    let target: ExactDecimal
    /// Digits after the point, apart from the target's, which is equal to itself with more zeros; nil: as the words has it.
    private var decimals: Int?
    private(set) var index = 0
    private var words: TickerLabel?
    /// What is written in place of the number, of a progress.
    private(set) var progress: ProgressText?
    /// It goes there and back, so that its target says nothing of where it goes now.
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

    init(to target: ExactDecimal, duration: Double, easing: Easing, options: [Ticker.Option]) {
        self.target = target
        self.duration = duration
        self.easing = easing
        // The first of a kind counts, so it comes last.
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
            case .label(let label, let start): (words, self.start) = (label, start.isFinite ? start : 0)
            case .progress(let template, let maximum, let start):
                (words, self.start) = (TickerLabel(prefix: "", suffix: ""), start.isFinite ? start : 0)
                let decimals = wished ?? target.scale
                progress = ProgressText(template, maximum: maximum, target: target, decimals: decimals)
            case .format(let format, let plan): (self.format, self.plan) = (format, plan)
            }
        }
        isReturning = isReturning || options.contains(.autoreverse)
        goesToAndFro = isReturning
        cycles = Cycles(repeats: repeats, autoreverse: isReturning, repeatDelay: repeatDelay)
        // A given words or format has decimals of its own.
        let hasOwn = progress == nil && (words != nil || plan != nil)
        decimals = hasOwn ? wished : Decimals.shown(given: wished, scale: target.scale, in: nil)
    }

    private static func wait(_ seconds: Double) -> Double {
        seconds > 0 && seconds.isFinite ? seconds : 0
    }

    /// The words around the number, and how it is written, for a label that shows `text`; nil if it has no such number.
    func words(for text: String) -> TickerLabel? {
        if words != nil { return words(instead: TickerLabel(prefix: "", suffix: "")) }
        if let format, let plan {
            let found = try? TickerLabel(text, index: index, format: format, plan: plan)
            return found.map { words(instead: $0) }
        }
        let found = TickerLabel(text, index: index)
        return index == 0 || found.number != nil ? words(instead: found) : nil
    }

    /// The same for a number in motion on `other`.
    func words(instead other: TickerLabel) -> TickerLabel {
        var words = words ?? other
        if let decimals { words.plan.decimals = decimals }
        return words
    }

    /// Where the number is at first on a label with this words.
    func start(on words: TickerLabel) -> Double {
        self.words == nil ? words.number?.double ?? 0 : start
    }

    /// The same to the last digit of what the label reads; nil where that takes more than 38.
    func origin(on words: TickerLabel) -> ExactDecimal? {
        self.words == nil ? words.number ?? .zero : ExactDecimal(start)
    }

    /// How the number gets there. A spring is not over before it stays within half a unit of the last digit shown.
    func course(on words: TickerLabel) -> Motion.Course {
        if let spring {
            return .spring(
                spring, delay: delay, endDelay: endDelay, cycles: cycles, threshold: words.plan.halfUnit)
        }
        return .timed(
            Timing(duration: duration, delay: delay, endDelay: endDelay, cycles: cycles, easing: easing))
    }
}
