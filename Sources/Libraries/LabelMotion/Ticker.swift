// Animates the number in a label with one line. The text around it stays; another call continues from the shown value.

public import Labels
public import Tween

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
    public var descriptor: TickerDescriptor? {
        settings.progress == nil ? run?.descriptor ?? lastDescriptor : nil
    }

    private var lastDescriptor: TickerDescriptor?

    let settings: TickerSettings
    /// The run that carries out the motion; nil when it is over.
    var run: LabelRun?
    private var completions: [@MainActor (Bool) -> Void]
    private var waiters: [CheckedContinuation<Outcome, Never>] = []
    private weak var label: (any TextLabel)?
    /// A closure's label, which has no other owner.
    private let ownLabel: ClosureLabel?
    private let clock: any FrameClock

    private init(
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

    // MARK: - Starting

    /// Animates the number in a label's text to a number.
    ///
    /// The first number of the text moves, found by the rules of `TickerLabel`. A text without a number is replaced by the
    /// number, starting at 0. Every frame has as many decimals as the target, and the last frame is exactly the target,
    /// unless ``Option/repeating(_:autoreverse:repeatDelay:)`` leads back, or a label or format of its own has other decimals.
    ///
    /// If the label's number is already moving, it continues from the unrounded shown value with its velocity, on the same
    /// clock, and the previous completion receives `false`. An identical call changes nothing and returns the running
    /// ticker. If other code sets the text meanwhile, the motion ends and that text stays.
    ///
    /// - Parameters:
    ///   - label: the label that shows the number; nil ends the motion before it begins.
    ///   - target: the number to show in the end.
    ///   - duration: seconds; 0 or less arrives with the first frame.
    ///   - easing: the curve; the option `spring` replaces it.
    ///   - options: decimals, delay, spring and more; of two of a kind, the first counts.
    ///   - clock: the clock for a label that isn't moving yet.
    ///   - completion: called once, after the last text: true at its end, false if it was interrupted, and at once if there
    ///     is no motion.
    /// - Returns: A handle that pauses, ends or retargets the motion. Nil, with the label unchanged: without a label, for a
    ///   target that is no finite number or longer than 38 digits, and for ``Option/number(at:)`` of a missing number.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(),
        completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        start(label, target, duration, easing, options, clock, completion)
    }

    /// Animates the number in a text, and passes every new text to a closure.
    ///
    /// Like ``animate(_:to:duration:easing:options:on:completion:)``, without a label. The motion continues until its end,
    /// or until the returned ticker ends it.
    @discardableResult
    public static func animate(
        from text: String, to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(),
        completion: (@MainActor (Bool) -> Void)? = nil, show: @escaping @MainActor (String) -> Void
    ) -> Ticker? {
        animate(
            ClosureLabel(text, show), to: target, duration: duration, easing: easing, options: options, on: clock,
            completion: completion)
    }

    /// Retargets the same label's number from its current value.
    ///
    /// - Returns: The ticker of that motion. Nil if the label was released or the target is no finite number; the completion
    ///   then receives `false` at once.
    @discardableResult
    public func animate(
        to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear, options: [Option] = [],
        completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        Self.start(label, target, duration, easing, options, clock, completion)
    }

    private static func start(
        _ label: (any TextLabel)?, _ target: some TickerTarget, _ duration: Double, _ easing: Easing,
        _ options: [Option], _ clock: any FrameClock, _ completion: (@MainActor (Bool) -> Void)?
    ) -> Ticker? {
        if let label, let exact = target.exact {
            let settings = TickerSettings(to: exact, duration: duration, easing: easing, options: options)
            let ticker = Ticker(label, settings, on: clock, completion)
            if let moving = LabelRun.move(label, by: ticker, on: clock) { return moving }
        }
        completion?(false)
        return nil
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
    func conclude(_ outcome: Outcome, describedBy parting: TickerDescriptor) {
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

// MARK: - Progress

extension Ticker {
    /// Animates a progress in a label: its percentage, or a template's text.
    ///
    ///     Ticker.animate(label, progress: 75, of: 100)
    ///
    /// - Parameters:
    ///   - label: the label that shows the text; nil ends the motion before it begins.
    ///   - current: the completed amount in the end.
    ///   - maximum: the total amount; of 0, everything is done.
    ///   - start: the completed amount at first, unless the label is already moving.
    ///   - template: the text, such as `ProgressLabel(parsing: "{value} of {maximum}")`; by default the percentage.
    ///   - duration: seconds; 0 or less arrives with the first frame.
    ///   - easing: the curve; the option `spring` replaces it.
    ///   - options: decimals of the number, delay, spring and more; of two of a kind, the first counts.
    ///   - clock: the clock for a label that isn't moving yet.
    ///   - completion: called once, after the last text, however it ended, and at once if there is no motion.
    /// - Returns: A handle that pauses, ends or retargets the motion. Nil without a label, for an amount that is no finite
    ///   number or longer than 38 digits, and for a negative maximum.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, progress current: some TickerTarget, of maximum: some TickerTarget,
        from start: Double = 0, template: ProgressLabel = .standard, duration: Double = 2, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(),
        completion: @escaping @MainActor () -> Void = {}
    ) -> Ticker? {
        guard let most = maximum.exact, !most.isNegative else {
            completion()
            return nil
        }
        let progress = Option(kind: .progress(template, maximum: most, start: start))
        return animate(
            label, to: current, duration: duration, easing: easing, options: [progress] + options, on: clock
        ) { _ in
            completion()
        }
    }
}

// MARK: - Completions without the outcome

extension Ticker {
    /// Animates the number in a label's text, and calls a completion once at the end, however it ended.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(), completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        animate(label, to: target, duration: duration, easing: easing, options: options, on: clock) { _ in
            completion()
        }
    }

    /// Animates the number in a text, and calls a completion once at the end. A closure receives every new text.
    @discardableResult
    public static func animate(
        from text: String, to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(),
        completion: @escaping @MainActor () -> Void, show: @escaping @MainActor (String) -> Void
    ) -> Ticker? {
        animate(
            from: text, to: target, duration: duration, easing: easing, options: options, on: clock,
            completion: { _ in completion() }, show: show)
    }

    /// Retargets the label of an existing motion, and calls a completion once at the end.
    @discardableResult
    public func animate(
        to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear, options: [Option] = [],
        completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        animate(to: target, duration: duration, easing: easing, options: options) { _ in completion() }
    }
}
