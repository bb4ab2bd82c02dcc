// A label whose number is in motion: its text taken apart once, the motion, and the loop that shows the frames.
// One label has one run and one loop however often it is sent elsewhere; tickers come and go on it.

import Labels
import Tween

/// What moves on one label, from its first ticker to the last.
@MainActor
final class LabelRun {
    /// The labels in motion or held.
    private static var runs: [ObjectIdentifier: LabelRun] = [:]
    /// So many runs, and those of labels that are gone are looked for.
    private static var limit = 64

    private weak var label: (any TextLabel)?
    private let identity: ObjectIdentifier
    private let clock: any FrameClock
    private var ticker: Ticker
    private var words: TickerLabel
    private var motion: Motion
    /// Where the motion began, to the last digit; nil where it cut another one off, or where that takes more than 38 digits.
    private var origin: ExactDecimal?
    /// The instant of the frame shown, which commands are carried out at: no value is skipped or repeated.
    private var shownAt = Instant(nanoseconds: 0)
    /// The text as the label shows it; another one is somebody else's.
    private var shown: String
    private var written: String?
    private var isLooping = false

    /// Sends a label's number on its way: on from where it is if it is in motion, else from the text; nil where the text
    /// has no such number.
    static func move(_ label: any TextLabel, by ticker: Ticker, on clock: any FrameClock) -> Ticker? {
        let known = runs[ObjectIdentifier(label)]
        let interruption = known?.interruption(by: ticker, on: label)
        if let known, interruption == nil { return known.take(ticker) }
        guard let words = ticker.settings.words(for: label.characters) else { return nil }
        let run = LabelRun(label, words, ticker, clock)
        if let interruption { known?.end(interruption) }
        forgetLost()
        runs[run.identity] = run
        run.loop()
        return ticker
    }

    /// What ends this run, since another ticker can't go on from it; nil if it can.
    private func interruption(by next: Ticker, on label: any TextLabel) -> Ticker.Outcome? {
        if self.label !== label { return .labelGone }
        if shown != label.characters { return .overwritten }
        return ticker.settings.index == next.settings.index ? nil : .superseded
    }

    private init(_ label: any TextLabel, _ words: TickerLabel, _ ticker: Ticker, _ clock: any FrameClock) {
        self.label = label
        self.ticker = ticker
        self.clock = clock
        identity = ObjectIdentifier(label)
        shown = label.characters
        self.words = words
        motion = Motion(
            from: ticker.settings.start(on: words), to: ticker.settings.target.double,
            course: ticker.settings.course(on: words), startingAt: shownAt)
        origin = ticker.settings.origin(on: words)
        motion.settleAtRest(resolution: words.plan.halfUnit)
        // The first frame lets it go: only then is it known what time it is.
        motion.pause(at: shownAt)
        ticker.run = self
    }

    /// Goes on to the target of another ticker, or of the same one if that is where the number is going.
    private func take(_ next: Ticker) -> Ticker {
        if ticker.state == .running, ticker.settings == next.settings {
            ticker.takeCompletions(of: next)
            return ticker
        }
        let previous = ticker
        let isHeld = motion.isPaused
        words = next.settings.words(instead: words)
        motion = motion.retargeted(
            to: next.settings.target.double, course: next.settings.course(on: words), at: shownAt, overshoot: .allow)
        origin = nil
        motion.settleAtRest(resolution: words.plan.halfUnit)
        if isHeld { motion.pause(at: shownAt) }
        ticker = next
        next.run = self
        loop()
        previous.conclude(.superseded)
        return next
    }

    // MARK: - Commands of its ticker

    func pause() { motion.pause(at: shownAt) }

    func resume() { loop() }

    /// Shows the end at once, unless somebody else has written.
    func finish() {
        if let loss { return end(loss) }
        write(textAtEnd)
        end(.finished)
    }

    /// The target to the last digit; where the motion returns, what the label read at first, and for a fraction of a way what
    /// lies there.
    private var textAtEnd: String {
        let end = motion.destination
        if end == motion.to { return text(of: ticker.settings.target) }
        if end == motion.from, let origin { return text(of: origin) }
        return text(of: end)
    }

    private func text(of value: ExactDecimal) -> String {
        ticker.settings.progress?.text(of: value) ?? words.text(of: value)
    }

    private func text(of value: Double) -> String {
        if let progress = ticker.settings.progress { return progress.text(of: value) }
        var bytes: [UInt8] = []
        words.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Is over; the completions are told last, so that they may start anew.
    func end(_ outcome: Ticker.Outcome) {
        if Self.runs[identity] === self { Self.runs[identity] = nil }
        ticker.conclude(outcome)
    }

    /// The strings of the frame shown.
    var descriptor: TickerDescriptor {
        let (value, target) = (motion.value(at: shownAt), ticker.settings.target)
        guard !motion.isComplete(at: shownAt) else { return descriptorAtEnd }
        return TickerDescriptor(
            words, value: value, target: target, progress: motion.fraction(at: shownAt),
            velocity: ticker.settings.goesToAndFro ? motion.velocity(at: shownAt) : nil)
    }

    /// The strings of the end, whether it is there yet or not.
    private var descriptorAtEnd: TickerDescriptor {
        let end = motion.destination
        let exact = end == motion.to ? ticker.settings.target : end == motion.from ? origin : nil
        return .resting(words, at: exact ?? ExactDecimal(end) ?? ticker.settings.target)
    }

    /// Those of a motion that is over: of its end, or of where it was stopped.
    func descriptor(after outcome: Ticker.Outcome) -> TickerDescriptor {
        if outcome == .finished { return descriptorAtEnd }
        return .resting(words, at: ExactDecimal(motion.value(at: shownAt)) ?? ticker.settings.target)
    }

    /// Why nothing can be written any more; nil while it can.
    private var loss: Ticker.Outcome? {
        guard let label else { return .labelGone }
        return label.characters == shown ? nil : .overwritten
    }

    /// Ends the runs of labels that went while they were held. Others notice at their next frame.
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

    /// Shows the frame of now and tells when the next one is due; nil when there is none.
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

    /// Ends the loop and then the run: what a completion starts may need a loop.
    private func over(_ outcome: Ticker.Outcome) -> Instant? {
        isLooping = false
        end(outcome)
        return nil
    }

    /// The clock sleeps no more.
    private func interrupt() {
        isLooping = false
        end(.cancelled)
    }

    /// Writes a text that differs from the last, and reads what the label made of it.
    private func write(_ text: String) {
        guard let label, text != written, text != shown else { return }
        label.characters = text
        written = text
        shown = label.characters
    }
}

extension TickerDescriptor {
    /// Of a number at rest.
    fileprivate static func resting(_ words: TickerLabel, at value: ExactDecimal) -> TickerDescriptor {
        TickerDescriptor(words, value: value.double, target: value)
    }
}
