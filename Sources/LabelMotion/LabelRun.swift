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
    private var face: TickerLabel
    private var motion: Motion
    /// The instant of the frame shown, which commands are carried out at: no value is skipped or repeated.
    private var shownAt = Instant(nanoseconds: 0)
    /// The text as the label shows it; another one is somebody else's.
    private var shown: String
    private var written: String?
    private var isLooping = false

    /// Sends a label's number on its way: on from where it is if it is in motion, else from the text.
    static func move(_ label: any TextLabel, by ticker: Ticker, on clock: any FrameClock) -> Ticker {
        let known = runs[ObjectIdentifier(label)]
        if let known, known.label === label, known.shown == label.characters,
            known.ticker.settings.index == ticker.settings.index
        {
            return known.take(ticker)
        }
        let run = LabelRun(label, ticker, clock)
        known?.end(.cancelled)
        forgetLost()
        runs[run.identity] = run
        run.loop()
        return ticker
    }

    private init(_ label: any TextLabel, _ ticker: Ticker, _ clock: any FrameClock) {
        self.label = label
        self.ticker = ticker
        self.clock = clock
        identity = ObjectIdentifier(label)
        shown = label.characters
        face = ticker.settings.face(for: shown)
        let start = ticker.settings.start(on: face)
        motion = Motion(
            from: start, to: ticker.settings.target.double, course: ticker.settings.course(on: face),
            startingAt: shownAt)
        motion.settleAtRest(resolution: face.plan.halfUnit)
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
        face = next.settings.face(instead: face)
        motion = motion.retargeted(
            to: next.settings.target.double, course: next.settings.course(on: face), at: shownAt, clamped: false)
        motion.settleAtRest(resolution: face.plan.halfUnit)
        if isHeld { motion.pause(at: shownAt) }
        ticker = next
        next.run = self
        loop()
        previous.conclude(.cancelled)
        return next
    }

    // MARK: - Commands of its ticker

    func pause() { motion.pause(at: shownAt) }

    func resume() { loop() }

    /// Shows the target at once, unless somebody else has written.
    func finish() {
        guard let label, label.characters == shown else { return end(.cancelled) }
        write(face.text(of: ticker.settings.target))
        end(.finished)
    }

    /// Is over; the completions are told last, so that they may start anew.
    func end(_ state: Ticker.State) {
        if Self.runs[identity] === self { Self.runs[identity] = nil }
        ticker.conclude(state)
    }

    /// Ends the runs of labels that went while they were held. Others notice at their next frame.
    private static func forgetLost() {
        guard runs.count >= limit else { return }
        for run in Array(runs.values) where run.label == nil { run.end(.cancelled) }
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
        guard let label, label.characters == shown else { return over(.cancelled) }
        motion.resume(at: now)
        shownAt = now
        guard !motion.isComplete(at: now) else {
            write(face.text(of: ticker.settings.target))
            return over(.finished)
        }
        var bytes: [UInt8] = []
        face.append(motion.value(at: now), to: &bytes)
        write(String(decoding: bytes, as: UTF8.self))
        return motion.nextFrame(after: now, framesPerSecond: ticker.settings.framesPerSecond)
    }

    /// Ends the loop and then the run: what a completion starts may need a loop.
    private func over(_ state: Ticker.State) -> Instant? {
        isLooping = false
        end(state)
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
