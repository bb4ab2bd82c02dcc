// One line animates the number inside a label. The text around it stays; a second call goes on from what is shown.

public import Labels
public import Tween

/// The motion of the number in a label's text.
///
///     Ticker.animate(label, to: 250)
///
/// A label is held weakly: one that goes takes its motion with it. All of it lives on the main actor.
@MainActor
public final class Ticker {
    /// Where the number is on its way.
    public enum State: Hashable, Sendable {
        /// On its way, or waiting for its first frame.
        case running
        /// Held where it is.
        case paused
        /// There, or stopped on the way.
        case over(Outcome)
    }

    /// How a motion ended.
    public enum Outcome: Hashable, Sendable {
        /// At its target.
        case finished
        /// Stopped by ``Ticker/cancel()``, or since its clock sleeps no more.
        case cancelled
        /// Another motion of the same label took over.
        case superseded
        /// Somebody else has set the label's text.
        case overwritten
        /// The label is gone.
        case labelGone
    }

    /// Where the number is on its way.
    public private(set) var state = State.running

    /// How it ended, as soon as it has.
    public var outcome: Outcome {
        get async {
            if case .over(let outcome) = state { return outcome }
            return await withCheckedContinuation { waiters.append($0) }
        }
    }

    /// All strings of the number as the label shows it now, for a page, a log or a screen reader: value, text, target, percent,
    /// trend. They are those that the service has in `display`. nil for a progress, and before there is a motion.
    public var descriptor: TickerDescriptor? {
        settings.progress == nil ? run?.descriptor ?? lastDescriptor : nil
    }

    private var lastDescriptor: TickerDescriptor?

    let settings: TickerSettings
    /// What carries the motion out; nil when it is over.
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

    // MARK: - Starting

    /// Animates the number in a label's text to a number.
    ///
    /// The first number of the text moves, by the rules of `TickerLabel`; a text without one becomes the number, from 0
    /// on. Every frame has as many decimals as the target, and the last frame is the target to the last digit, unless
    /// ``Option/repeating(_:autoreverse:repeatDelay:)`` leads back.
    ///
    /// While the label's number is in motion, it goes on from the unrounded value shown and with its velocity, on the
    /// clock it is on, and the completion of the motion before is told `false`. The same wish again changes nothing: it
    /// gives the ticker that is running. A text that somebody else sets on the way ends the motion and stays.
    ///
    /// - Parameters:
    ///   - label: what shows the number; one that is gone already ends the motion before it begins.
    ///   - target: the number to show in the end.
    ///   - duration: seconds; 0 and less is there at the first frame.
    ///   - easing: the curve; a spring is an option in place of it.
    ///   - options: decimals, delay, spring and more; of two of a kind the first counts.
    ///   - clock: the time of a label that isn't in motion yet.
    ///   - completion: called once, after the last text: true at its end, false when it was cut off, and at once where
    ///     there is no motion.
    /// - Returns: What holds, ends or redirects the motion; nil, and the label stays as it is, without a label, for a target
    ///   that is no number or longer than 38 digits, and for ``Option/number(at:)`` of one that isn't there.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(),
        completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        start(label, target, duration, easing, options, clock, completion)
    }

    /// Animates the number in a text, and tells a closure every text it becomes.
    ///
    /// As ``animate(_:to:duration:easing:options:on:completion:)``, for those who have no label. The motion goes on until
    /// its end, or until the ticker that this gives ends it.
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

    /// Sends the same label's number elsewhere, from where it is.
    ///
    /// - Returns: The ticker of that motion; nil, and the completion is told `false` at once, when the label is gone or the target is no
    ///   number.
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

    /// Holds the number at the value shown. Does nothing unless it is running.
    public func pause() {
        guard state == .running else { return }
        state = .paused
        run?.pause()
    }

    /// Goes on from the value shown, with all the time that was left. Does nothing unless it is paused.
    public func resume() {
        guard state == .paused else { return }
        state = .running
        run?.resume()
    }

    /// Stops where it is; the completion is told `false`. Does nothing when it is over.
    public func cancel() { run?.end(.cancelled) }

    /// Shows the end at once, of what repeats for ever the target; the completion is told `true`. Does nothing when it is over.
    public func finish() { run?.finish() }

    /// Is over, and tells so once.
    func conclude(_ outcome: Outcome) {
        guard let run else { return }
        lastDescriptor = run.descriptor(after: outcome)
        self.run = nil
        state = .over(outcome)
        let (told, waiting) = (completions, waiters)
        (completions, waiters) = ([], [])
        for completion in told { completion(outcome == .finished) }
        for waiter in waiting { waiter.resume(returning: outcome) }
    }

    /// Stands for another ticker that wants the same.
    func takeCompletions(of other: Ticker) {
        completions += other.completions
        other.completions = []
    }
}

// MARK: - Progress

extension Ticker {
    /// Counts a progress up in a label: its percentage, or what a template says of it.
    ///
    ///     Ticker.animate(label, progress: 75, of: 100)
    ///
    /// - Parameters:
    ///   - label: what shows the text; one that is gone already ends the motion before it begins.
    ///   - current: how much is done in the end.
    ///   - maximum: how much there is to do; of nothing all is done.
    ///   - start: how much is done at first, unless the label is in motion already.
    ///   - template: the text, such as `ProgressLabel(parsing: "{value} of {maximum}")`; the percentage without one.
    ///   - duration: seconds; 0 and less is there at the first frame.
    ///   - easing: the curve; a spring is an option in place of it.
    ///   - options: decimals of the number, delay, spring and more; of two of a kind the first counts.
    ///   - clock: the time of a label that isn't in motion yet.
    ///   - completion: called once, after the last text, however it ended, and at once where there is no motion.
    /// - Returns: What holds, ends or redirects the motion; nil without a label, and for a number or a maximum that is none, is
    ///   longer than 38 digits, or a maximum below zero.
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

// MARK: - Completions that need not know how it ended

extension Ticker {
    /// Animates the number in a label's text, and calls a completion once when that is over, however it ended.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(), completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        animate(label, to: target, duration: duration, easing: easing, options: options, on: clock) { _ in
            completion()
        }
    }

    /// The same for the number in a text; a closure receives every text it becomes.
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

    /// The same for the label of a motion that there is.
    @discardableResult
    public func animate(
        to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear, options: [Option] = [],
        completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        animate(to: target, duration: duration, easing: easing, options: options) { _ in completion() }
    }
}
