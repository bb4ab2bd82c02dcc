// One motion of a label's number as it was asked for, with every default filled in. A value: it moves nothing.

import Labels
import Tween

/// Where a number goes and how.
struct TickerSettings: Hashable, Sendable {
    let target: ExactDecimal
    /// Digits after the point, apart from the target's, which is equal to itself with more zeros; nil: as the face has it.
    private var decimals: Int?
    private(set) var index = 0
    private var face: TickerLabel?
    /// What is written in place of the number, of a progress.
    private(set) var progress: ProgressFace?
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
            case .face(let face, let start): (self.face, self.start) = (face, start.isFinite ? start : 0)
            case .progress(let template, let maximum, let start):
                (face, self.start) = (TickerLabel(prefix: "", suffix: ""), start.isFinite ? start : 0)
                let decimals = wished ?? target.scale
                progress = ProgressFace(template, maximum: maximum, target: target, decimals: decimals)
            case .format(let format, let plan): (self.format, self.plan) = (format, plan)
            }
        }
        isReturning = isReturning || options.contains(.autoreverse)
        goesToAndFro = isReturning
        cycles = Cycles(repeats: repeats, autoreverse: isReturning, repeatDelay: repeatDelay)
        // A given face or format has decimals of its own.
        let hasOwn = progress == nil && (face != nil || plan != nil)
        decimals = hasOwn ? wished : Decimals.shown(given: wished, scale: target.scale, in: nil)
    }

    private static func wait(_ seconds: Double) -> Double {
        seconds > 0 && seconds.isFinite ? seconds : 0
    }

    /// The words around the number, and how it is written, for a label that shows `text`; nil if it has no such number.
    func face(for text: String) -> TickerLabel? {
        if face != nil { return face(instead: TickerLabel(prefix: "", suffix: "")) }
        if let format, let plan {
            let found = try? TickerLabel(text, index: index, format: format, plan: plan)
            return found.map { face(instead: $0) }
        }
        let found = TickerLabel(text, index: index)
        return index == 0 || found.number != nil ? face(instead: found) : nil
    }

    /// The same for a number in motion on `other`.
    func face(instead other: TickerLabel) -> TickerLabel {
        var face = face ?? other
        if let decimals { face.plan.decimals = decimals }
        return face
    }

    /// Where the number is at first on a label with this face.
    func start(on face: TickerLabel) -> Double {
        self.face == nil ? face.number?.double ?? 0 : start
    }

    /// The same to the last digit of what the label reads; nil where that takes more than 38.
    func origin(on face: TickerLabel) -> ExactDecimal? {
        self.face == nil ? face.number ?? .zero : ExactDecimal(start)
    }

    /// How the number gets there. A spring is not over before it stays within half a unit of the last digit shown.
    func course(on face: TickerLabel) -> Motion.Course {
        if let spring {
            return .spring(
                spring, delay: delay, endDelay: endDelay, cycles: cycles, threshold: face.plan.halfUnit)
        }
        return .timed(
            Timing(duration: duration, delay: delay, endDelay: endDelay, cycles: cycles, easing: easing))
    }
}
