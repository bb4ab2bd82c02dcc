// Animates the number in a label with one line. The text around it stays; another call continues from the shown value.

public import Labels
import Tween

/// The motion of the number in a label's text.
///
///     Ticker.animate(label, to: 250)
///
/// A label is held weakly: its release ends the motion, at the latest a second later. The motion continues without a reference
/// to the ticker, unless it is paused: then nobody could resume it, and it ends as cancelled. Everything runs on the main actor.
///
/// A completion is kept until the motion is over. In an object that stores its ticker it captures `[weak self]`, as any closure
/// that an object keeps.
@MainActor
public final class Ticker {
    /// The state of a motion.
    public enum State: Hashable, Sendable {
        /// Moving, or waiting for its first frame.
        case running
        /// Paused at the shown value.
        case paused
        /// Finished, or stopped on the way.
        case over(Outcome)
    }

    /// How a motion ended.
    public enum Outcome: Hashable, Sendable {
        /// It reached its target.
        case finished
        /// Stopped by ``Ticker/cancel()``, or its clock's sleep failed.
        case cancelled
        /// Another motion of the same label replaced it.
        case superseded
        /// Other code has set the label's text.
        case overwritten
        /// The label was released.
        case labelGone
    }

    /// The current state.
    public private(set) var state = State.running

    /// How it ended; waits for the end.
    public var outcome: Outcome {
        get async {
            if case .over(let outcome) = state { return outcome }
            return await withCheckedContinuation { waiters.append($0) }
        }
    }

    /// All strings of the currently shown number, for a page, a log or a screen reader: value, text, target, percent, trend.
    /// They equal the service's `display`. Nil for a progress, and before there is a motion.
    public var descriptor: TickerDescriptor? { run?.descriptor ?? lastDescriptor }

    private var lastDescriptor: TickerDescriptor?

    let settings: TickerSettings
    /// The run that carries out the motion; nil when it is over.
    var run: LabelRun?
    private var completions: [@MainActor (Bool) -> Void]
    private var waiters: [CheckedContinuation<Outcome, Never>] = []
    private(set) weak var label: (any TextLabel)?
    /// A closure's label, which has no other owner.
    private let ownLabel: ClosureLabel?
    let clock: any FrameClock

    init(
        _ label: any TextLabel, _ settings: TickerSettings, on clock: any FrameClock,
        _ completion: (@MainActor (Bool) -> Void)?
    ) {
        self.label = label
        self.settings = settings
        self.clock = clock
        ownLabel = label as? ClosureLabel
        completions = completion.map { [$0] } ?? []
    }

    isolated deinit {
        // It is paused, and nobody can resume it any more.
        guard run != nil else { return }
        for completion in completions { completion(false) }
    }

    // MARK: - Control

    /// Pauses at the shown value, as long as the ticker is kept. Does nothing unless it is running.
    public func pause() {
        guard state == .running else { return }
        state = .paused
        run?.pause()
    }

    /// Continues from the shown value with all remaining time. Does nothing unless it is paused.
    public func resume() {
        guard state == .paused else { return }
        state = .running
        run?.resume()
    }

    /// Stops at the shown value; the completion receives `false`. Does nothing when it is over.
    public func cancel() { run?.stop(.cancelled) }

    /// Shows the end at once, or the target of an endless motion; the completion receives `true`. Does nothing when it is
    /// over.
    public func finish() { run?.finish() }

    /// Ends the ticker and reports that once.
    /// - Parameter parting: The strings of where its run has ended, or of where it was when another ticker took it over.
    func conclude(_ outcome: Outcome, describedBy parting: TickerDescriptor?) {
        guard run != nil else { return }
        lastDescriptor = parting
        run = nil
        state = .over(outcome)
        let (told, waiting) = (completions, waiters)
        (completions, waiters) = ([], [])
        for completion in told { completion(outcome == .finished) }
        for waiter in waiting { waiter.resume(returning: outcome) }
    }

    /// Takes over the completions of another ticker with the same settings.
    func adoptCompletions(of other: Ticker) {
        completions += other.completions
        other.completions = []
    }
}
