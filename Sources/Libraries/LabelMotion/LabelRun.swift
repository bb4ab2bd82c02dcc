// A label whose number is moving: its parsed text, the motion, and the frame loop. A label has one run and one loop, however
// often it is retargeted; tickers replace each other on it.

import Labels
import Tween

/// The motion on one label, from its first ticker to the last.
@MainActor
final class LabelRun {
    /// A run's place in the table, which doesn't keep it.
    private struct Place {
        weak var run: LabelRun?
    }

    /// The runs by their labels. Their tickers keep them.
    private static var runs: [ObjectIdentifier: Place] = [:]
    /// Seconds between two looks at the label of a paused ticker: no label reports its end.
    private static let pausedInterval = 1.0

    private weak var label: (any TextLabel)?
    private let identity: ObjectIdentifier
    private let clock: any FrameClock
    private var settings: TickerSettings
    private weak var ticker: Ticker?
    /// Keeps the ticker while it is running. A paused one lives as long as somebody can resume it.
    private var keeper: Ticker?
    /// The frame loop, which keeps neither.
    private var task: Task<Void, Never>?
    private var tickerLabel: TickerLabel
    /// The text of a progress, instead of the label's.
    private var progress: ProgressText?
    private var motion: Motion
    /// The motion's exact start; nil if it interrupted another one, or the start has more than 38 digits.
    private var origin: ExactDecimal?
    /// The instant of the shown frame, at which commands take effect, so that no value is skipped or repeated.
    private var shownAt = Instant(nanoseconds: 0)
    /// The text as the label returned it; any other text was set by other code.
    private var shown: String
    private var written: String?

    /// Moves a label's number: from its current value if it is moving, else from the text. Returns nil if the text has no
    /// such number.
    static func move(_ label: any TextLabel, by ticker: Ticker, on clock: any FrameClock) -> Ticker? {
        let known = runs[ObjectIdentifier(label)]?.run
        let interruption = known?.interruption(by: ticker, on: label)
        if let known, interruption == nil { return known.go(on: ticker) }
        guard let tickerLabel = ticker.settings.tickerLabel(for: label.characters) else { return nil }
        let run = LabelRun(label, tickerLabel, ticker, clock)
        if let interruption { known?.stop(interruption) }
        runs[run.identity] = Place(run: run)
        run.loop()
        return ticker
    }

    /// Returns why another ticker can't continue this run; nil if it can.
    private func interruption(by next: Ticker, on label: any TextLabel) -> Ticker.Outcome? {
        if self.label !== label { return .labelGone }
        if shown != label.characters { return .overwritten }
        return settings.index == next.settings.index ? nil : .superseded
    }

    private init(_ label: any TextLabel, _ tickerLabel: TickerLabel, _ ticker: Ticker, _ clock: any FrameClock) {
        self.label = label
        settings = ticker.settings
        self.ticker = ticker
        keeper = ticker
        self.clock = clock
        identity = ObjectIdentifier(label)
        shown = label.characters
        self.tickerLabel = tickerLabel
        progress = settings.progress
        motion = Motion(
            from: ticker.settings.start(on: tickerLabel), to: ticker.settings.target.double,
            course: ticker.settings.course(on: tickerLabel), startingAt: shownAt)
        origin = ticker.settings.origin(on: tickerLabel)
        motion.settleAtRest(resolution: tickerLabel.plan.halfUnit)
        // The first frame starts it, since only then is the time known.
        motion.pause(at: shownAt)
        ticker.run = self
    }

    isolated deinit {
        task?.cancel()
        if Self.runs[identity]?.run == nil { Self.runs[identity] = nil }
    }

    /// Continues to another ticker's target. Returns the current ticker if it already has the same settings.
    private func go(on next: Ticker) -> Ticker {
        if let keeper, settings == next.settings {
            keeper.adoptCompletions(of: next)
            return keeper
        }
        let (previous, wasPaused) = (ticker, keeper == nil)
        let parting = descriptor(after: .superseded)
        let isHeld = motion.isPaused
        tickerLabel = next.settings.tickerLabel(instead: tickerLabel)
        progress = next.settings.progress(instead: progress)
        motion = motion.retargeted(
            to: next.settings.target.double, course: next.settings.course(on: tickerLabel), at: shownAt,
            overshoot: .allow)
        origin = nil
        motion.settleAtRest(resolution: tickerLabel.plan.halfUnit)
        if isHeld { motion.pause(at: shownAt) }
        settings = next.settings
        (ticker, keeper) = (next, next)
        next.run = self
        if wasPaused { loop() }
        previous?.conclude(.superseded, describedBy: parting)
        return next
    }

    // MARK: - Commands of its ticker

    func pause() {
        motion.pause(at: shownAt)
        keeper = nil
    }

    func resume() {
        keeper = ticker
        loop()
    }

    /// Shows the end at once, unless other code has set the text.
    func finish() {
        if let loss { return stop(loss) }
        writeEnd()
        stop(.finished)
    }

    /// Ends the run and its loop.
    func stop(_ outcome: Ticker.Outcome) {
        task?.cancel()
        end(outcome)
    }

    /// Shows the exact target; the initial number if the motion returns to it; and the value there for a fraction of a cycle.
    private func writeEnd() {
        let end = motion.destination
        if end == motion.to { return write(text(of: settings.target), end) }
        if end == motion.from, let origin { return write(text(of: origin), end) }
        write(text(of: end), end)
    }

    private func text(of value: ExactDecimal) -> String {
        progress?.text(of: value) ?? tickerLabel.text(of: value)
    }

    private func text(of value: Double) -> String {
        if let progress { return progress.text(of: value) }
        var bytes: [UInt8] = []
        tickerLabel.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends the run. Completions are called last, so that they may start a new one.
    private func end(_ outcome: Ticker.Outcome) {
        if Self.runs[identity]?.run === self { Self.runs[identity] = nil }
        let ended = ticker
        keeper = nil
        ended?.conclude(outcome, describedBy: descriptor(after: outcome))
    }

    /// The strings of the shown frame; nil for a progress.
    var descriptor: TickerDescriptor? {
        guard progress == nil else { return nil }
        let (value, target) = (motion.value(at: shownAt), settings.target)
        guard !motion.isComplete(at: shownAt) else { return descriptorAtEnd }
        return TickerDescriptor(
            tickerLabel, value: value, target: target, progress: motion.fraction(at: shownAt),
            velocity: settings.goesToAndFro ? motion.velocity(at: shownAt) : nil)
    }

    /// The strings of the end, even before it is reached.
    private var descriptorAtEnd: TickerDescriptor {
        let end = motion.destination
        let exact = end == motion.to ? settings.target : end == motion.from ? origin : nil
        return .resting(tickerLabel, at: exact ?? ExactDecimal(end) ?? settings.target)
    }

    /// Returns the strings after the motion: of its end, or of where it was stopped.
    private func descriptor(after outcome: Ticker.Outcome) -> TickerDescriptor? {
        guard progress == nil else { return nil }
        if outcome == .finished { return descriptorAtEnd }
        return .resting(tickerLabel, at: ExactDecimal(motion.value(at: shownAt)) ?? settings.target)
    }

    /// Why the label can't be written any more; nil if it can.
    private var loss: Ticker.Outcome? {
        guard let label else { return .labelGone }
        return label.characters == shown ? nil : .overwritten
    }

    // MARK: - Frames

    /// Starts the frame loop, in place of one that still sleeps.
    private func loop() {
        task?.cancel()
        task = Task { [weak self, clock] in
            let loop = FrameLoop()
            await loop.run {
                while let deadline = await self?.showFrame() ?? nil {
                    do {
                        try await clock.sleep(until: deadline)
                    } catch {
                        // The clock has failed, unless it is the loop that was ended.
                        if !Task.isCancelled { self?.end(.cancelled) }
                        return
                    }
                }
            }
            loop.end()
        }
    }

    /// Shows the current frame. Returns when the next one is due; nil if there is none.
    private func showFrame() async -> Instant? {
        // On a clock that skips sleep, nobody else would get the main actor.
        if keeper == nil { await Task.yield() }
        let now = await clock.now
        return Task.isCancelled ? nil : frame(at: now)
    }

    private func frame(at now: Instant) -> Instant? {
        if let loss { return over(loss) }
        guard keeper != nil else { return now.advanced(bySeconds: Self.pausedInterval) }
        motion.resume(at: now)
        shownAt = now
        guard !motion.isComplete(at: now) else {
            writeEnd()
            return over(.finished)
        }
        let value = motion.value(at: now)
        write(text(of: value), value)
        return motion.nextFrame(after: now, framesPerSecond: settings.framesPerSecond)
    }

    private func over(_ outcome: Ticker.Outcome) -> Instant? {
        end(outcome)
        return nil
    }

    /// Writes a text if it has changed, and reads back what the label made of it. A closure receives every number as well.
    private func write(_ text: String, _ number: Double) {
        guard let label else { return }
        if let closure = label as? ClosureLabel {
            shown = text
            return closure.show((number, text))
        }
        guard text != written, text != shown else { return }
        label.characters = text
        written = text
        shown = label.characters
    }
}

extension TickerDescriptor {
    /// Returns the strings of a number at rest.
    fileprivate static func resting(_ tickerLabel: TickerLabel, at value: ExactDecimal) -> TickerDescriptor {
        TickerDescriptor(tickerLabel, value: value.double, target: value)
    }
}
