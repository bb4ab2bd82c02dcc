// A label whose number is moving: its parsed text, the motion, and the frame loop. A label has one run and one loop, however
// often it is retargeted; tickers replace each other on it.

import Labels
import Tween

/// The motion on one label, from its first ticker to the last.
@MainActor
final class LabelRun {
    /// The labels whose numbers are moving or paused.
    private static var runs: [ObjectIdentifier: LabelRun] = [:]
    /// The number of runs at which those of released labels are removed.
    private static var limit = 64

    private weak var label: (any TextLabel)?
    private let identity: ObjectIdentifier
    private let clock: any FrameClock
    private var ticker: Ticker
    private var tickerLabel: TickerLabel
    private var motion: Motion
    /// The motion's exact start; nil if it interrupted another one, or the start has more than 38 digits.
    private var origin: ExactDecimal?
    /// The instant of the shown frame, at which commands take effect, so that no value is skipped or repeated.
    private var shownAt = Instant(nanoseconds: 0)
    /// The text as the label returned it; any other text was set by other code.
    private var shown: String
    private var written: String?
    private var isLooping = false

    /// Moves a label's number: from its current value if it is moving, else from the text. Returns nil if the text has no
    /// such number.
    static func move(_ label: any TextLabel, by ticker: Ticker, on clock: any FrameClock) -> Ticker? {
        let known = runs[ObjectIdentifier(label)]
        let interruption = known?.interruption(by: ticker, on: label)
        if let known, interruption == nil { return known.go(on: ticker) }
        guard let tickerLabel = ticker.settings.tickerLabel(for: label.characters) else { return nil }
        let run = LabelRun(label, tickerLabel, ticker, clock)
        if let interruption { known?.end(interruption) }
        forgetLost()
        runs[run.identity] = run
        run.loop()
        return ticker
    }

    /// Returns why another ticker can't continue this run; nil if it can.
    private func interruption(by next: Ticker, on label: any TextLabel) -> Ticker.Outcome? {
        if self.label !== label { return .labelGone }
        if shown != label.characters { return .overwritten }
        return ticker.settings.index == next.settings.index ? nil : .superseded
    }

    private init(_ label: any TextLabel, _ tickerLabel: TickerLabel, _ ticker: Ticker, _ clock: any FrameClock) {
        self.label = label
        self.ticker = ticker
        self.clock = clock
        identity = ObjectIdentifier(label)
        shown = label.characters
        self.tickerLabel = tickerLabel
        motion = Motion(
            from: ticker.settings.start(on: tickerLabel), to: ticker.settings.target.double,
            course: ticker.settings.course(on: tickerLabel), startingAt: shownAt)
        origin = ticker.settings.origin(on: tickerLabel)
        motion.settleAtRest(resolution: tickerLabel.plan.halfUnit)
        // The first frame starts it, since only then is the time known.
        motion.pause(at: shownAt)
        ticker.run = self
    }

    /// Continues to another ticker's target. Returns the current ticker if it already has the same settings.
    private func go(on next: Ticker) -> Ticker {
        if ticker.state == .running, ticker.settings == next.settings {
            ticker.adoptCompletions(of: next)
            return ticker
        }
        let previous = ticker
        let parting = descriptor(after: .superseded)
        let isHeld = motion.isPaused
        tickerLabel = next.settings.tickerLabel(instead: tickerLabel)
        motion = motion.retargeted(
            to: next.settings.target.double, course: next.settings.course(on: tickerLabel), at: shownAt,
            overshoot: .allow)
        origin = nil
        motion.settleAtRest(resolution: tickerLabel.plan.halfUnit)
        if isHeld { motion.pause(at: shownAt) }
        ticker = next
        next.run = self
        loop()
        previous.conclude(.superseded, describedBy: parting)
        return next
    }

    // MARK: - Commands of its ticker

    func pause() { motion.pause(at: shownAt) }

    func resume() { loop() }

    /// Shows the end at once, unless other code has set the text.
    func finish() {
        if let loss { return end(loss) }
        write(textAtEnd)
        end(.finished)
    }

    /// The exact target; the initial number if the motion returns to it; and the value there for a fraction of a cycle.
    private var textAtEnd: String {
        let end = motion.destination
        if end == motion.to { return text(of: ticker.settings.target) }
        if end == motion.from, let origin { return text(of: origin) }
        return text(of: end)
    }

    private func text(of value: ExactDecimal) -> String {
        ticker.settings.progress?.text(of: value) ?? tickerLabel.text(of: value)
    }

    private func text(of value: Double) -> String {
        if let progress = ticker.settings.progress { return progress.text(of: value) }
        var bytes: [UInt8] = []
        tickerLabel.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends the run. Completions are called last, so that they may start a new one.
    func end(_ outcome: Ticker.Outcome) {
        if Self.runs[identity] === self { Self.runs[identity] = nil }
        ticker.conclude(outcome, describedBy: descriptor(after: outcome))
    }

    /// The strings of the shown frame.
    var descriptor: TickerDescriptor {
        let (value, target) = (motion.value(at: shownAt), ticker.settings.target)
        guard !motion.isComplete(at: shownAt) else { return descriptorAtEnd }
        return TickerDescriptor(
            tickerLabel, value: value, target: target, progress: motion.fraction(at: shownAt),
            velocity: ticker.settings.goesToAndFro ? motion.velocity(at: shownAt) : nil)
    }

    /// The strings of the end, even before it is reached.
    private var descriptorAtEnd: TickerDescriptor {
        let end = motion.destination
        let exact = end == motion.to ? ticker.settings.target : end == motion.from ? origin : nil
        return .resting(tickerLabel, at: exact ?? ExactDecimal(end) ?? ticker.settings.target)
    }

    /// Returns the strings after the motion: of its end, or of where it was stopped.
    private func descriptor(after outcome: Ticker.Outcome) -> TickerDescriptor {
        if outcome == .finished { return descriptorAtEnd }
        return .resting(tickerLabel, at: ExactDecimal(motion.value(at: shownAt)) ?? ticker.settings.target)
    }

    /// Why the label can't be written any more; nil if it can.
    private var loss: Ticker.Outcome? {
        guard let label else { return .labelGone }
        return label.characters == shown ? nil : .overwritten
    }

    /// Ends the runs of labels that were released while paused. Running ones notice at their next frame.
    private static func forgetLost() {
        guard runs.count >= limit else { return }
        for run in Array(runs.values) where run.label == nil { run.end(.labelGone) }
        limit = max(64, runs.count * 2)
    }

    // MARK: - Frames

    private func loop() {
        guard !isLooping else { return }
        isLooping = true
        let clock = clock
        Task {
            let loop = FrameLoop()
            await loop.run {
                while let deadline = await self.showFrame() {
                    do { try await clock.sleep(until: deadline) } catch { return self.interrupt() }
                }
            }
            loop.end()
        }
    }

    /// Shows the current frame. Returns when the next one is due; nil if there is none.
    private func showFrame() async -> Instant? {
        let next = frame(at: await clock.now)
        if next == nil { isLooping = false }
        return next
    }

    private func frame(at now: Instant) -> Instant? {
        guard ticker.state == .running else { return nil }
        if let loss { return over(loss) }
        motion.resume(at: now)
        shownAt = now
        guard !motion.isComplete(at: now) else {
            write(textAtEnd)
            return over(.finished)
        }
        write(text(of: motion.value(at: now)))
        return motion.nextFrame(after: now, framesPerSecond: ticker.settings.framesPerSecond)
    }

    /// Ends the loop and then the run, since a completion may start a new one, which needs a loop.
    private func over(_ outcome: Ticker.Outcome) -> Instant? {
        isLooping = false
        end(outcome)
        return nil
    }

    /// Ends the run because the clock's sleep failed.
    private func interrupt() {
        isLooping = false
        end(.cancelled)
    }

    /// Writes a text if it has changed, and reads back what the label made of it.
    private func write(_ text: String) {
        guard let label, text != written, text != shown else { return }
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
