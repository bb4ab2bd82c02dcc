// Starts and retargets the motions of labels.

public import Tween

extension Ticker {
    /// A frame for a closure: the number, not rounded, and the text that shows it.
    public typealias Frame = (number: Double, text: String)

    /// Animates the number in a label's text to a number.
    ///
    /// The first number of the text moves, found by the rules of `TickerLabel`. A text without a number is replaced by the
    /// number, starting at 0. Every frame has as many decimals as the target, and the last frame is exactly the target,
    /// unless ``Option/repeating(_:autoreverse:repeatDelay:)-(_,_,Duration)`` leads back, or a label or format of its own has
    /// other decimals.
    ///
    /// If the label's number is already moving, it continues from the unrounded shown value with its velocity, on the same
    /// clock, and the previous completion receives `false`. An identical call changes nothing and returns the running
    /// ticker. If other code sets the text meanwhile, the motion ends and that text stays.
    ///
    /// - Parameters:
    ///   - label: the label that shows the number; nil ends the motion before it begins.
    ///   - target: the number to show in the end.
    ///   - duration: how long it moves; zero or less arrives with the first frame.
    ///   - easing: the curve; the option `spring` replaces it.
    ///   - options: decimals, delay, spring, progress and more; of two of a kind, the first counts.
    ///   - clock: the clock for a label that isn't moving yet.
    ///   - completion: called once, after the last text: true at its end, false if it was interrupted, and at once if there
    ///     is no motion. It may also take no argument.
    /// - Returns: A handle that pauses, ends or retargets the motion. Nil, with the label unchanged: without a label, for a
    ///   target that is no finite number or longer than 38 digits, for ``Option/number(at:)`` of a missing number, and for a
    ///   progress whose maximum is such a target or negative.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, to target: some TickerTarget, duration: Duration = .seconds(2),
        easing: Easing = .linear, options: [Option] = [], on clock: any FrameClock = SystemClock(),
        completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        start(label, target, duration / .seconds(1), easing, options, clock, completion)
    }

    /// Animates the number in a text, and passes every frame to a closure: first and last the exact ends, and none twice.
    ///
    ///     Ticker.animate(from: "0 items", to: 12) { number, text in print(text) }
    ///
    /// Like a motion of a label whose text nobody else sets. It continues until its end, or until the returned ticker ends it.
    @discardableResult
    public static func animate(
        from text: String = "", to target: some TickerTarget, duration: Duration = .seconds(2),
        easing: Easing = .linear, options: [Option] = [], on clock: any FrameClock = SystemClock(),
        show: @escaping @MainActor (Frame) -> Void, completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        start(ClosureLabel(text, show), target, duration / .seconds(1), easing, options, clock, completion)
    }

    /// Retargets the same label's number from its current value, in the same format, label or progress.
    ///
    /// - Returns: The ticker of that motion. Nil if the label was released or the target is no finite number; the completion
    ///   then receives `false` at once.
    @discardableResult
    public func animate(
        to target: some TickerTarget, duration: Duration = .seconds(2), easing: Easing = .linear,
        options: [Option] = [], completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        Self.start(label, target, duration / .seconds(1), easing, options, clock, completion)
    }

    private static func start(
        _ label: (any TextLabel)?, _ target: some TickerTarget, _ seconds: Double, _ easing: Easing,
        _ options: [Option], _ clock: any FrameClock, _ completion: (@MainActor (Bool) -> Void)?
    ) -> Ticker? {
        if let label, let exact = target.exact,
            let settings = TickerSettings(to: exact, duration: seconds, easing: easing, options: options)
        {
            let ticker = Ticker(label, settings, on: clock, completion)
            if let moving = LabelRun.move(label, by: ticker, on: clock) { return moving }
        }
        completion?(false)
        return nil
    }
}

// MARK: - Durations in seconds

extension Ticker {
    /// Animates the number in a label's text, for some seconds.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, to target: some TickerTarget, duration: Double, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(),
        completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        start(label, target, duration, easing, options, clock, completion)
    }

    /// Animates the number in a text, for some seconds, and passes every frame to a closure.
    @discardableResult
    public static func animate(
        from text: String = "", to target: some TickerTarget, duration: Double, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(),
        show: @escaping @MainActor (Frame) -> Void, completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        start(ClosureLabel(text, show), target, duration, easing, options, clock, completion)
    }

    /// Retargets the same label's number, for some seconds.
    @discardableResult
    public func animate(
        to target: some TickerTarget, duration: Double, easing: Easing = .linear, options: [Option] = [],
        completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        Self.start(label, target, duration, easing, options, clock, completion)
    }
}

// MARK: - Completions without the outcome

extension Ticker {
    /// Animates the number in a label's text, and calls a completion once at the end, however it ended.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, to target: some TickerTarget, duration: Duration = .seconds(2),
        easing: Easing = .linear, options: [Option] = [], on clock: any FrameClock = SystemClock(),
        completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        start(label, target, duration / .seconds(1), easing, options, clock) { _ in completion() }
    }

    /// Animates the number in a label's text, for some seconds, and calls a completion once at the end.
    @discardableResult
    public static func animate(
        _ label: (some TextLabel)?, to target: some TickerTarget, duration: Double, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(), completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        start(label, target, duration, easing, options, clock) { _ in completion() }
    }

    /// Animates the number in a text, passes every frame to a closure, and calls a completion once at the end.
    @discardableResult
    public static func animate(
        from text: String = "", to target: some TickerTarget, duration: Duration = .seconds(2),
        easing: Easing = .linear, options: [Option] = [], on clock: any FrameClock = SystemClock(),
        show: @escaping @MainActor (Frame) -> Void, completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        start(ClosureLabel(text, show), target, duration / .seconds(1), easing, options, clock) { _ in completion() }
    }

    /// Animates the number in a text, for some seconds, passes every frame to a closure, and calls a completion once at the
    /// end.
    @discardableResult
    public static func animate(
        from text: String = "", to target: some TickerTarget, duration: Double, easing: Easing = .linear,
        options: [Option] = [], on clock: any FrameClock = SystemClock(),
        show: @escaping @MainActor (Frame) -> Void, completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        start(ClosureLabel(text, show), target, duration, easing, options, clock) { _ in completion() }
    }

    /// Retargets the same label's number, and calls a completion once at the end.
    @discardableResult
    public func animate(
        to target: some TickerTarget, duration: Duration = .seconds(2), easing: Easing = .linear,
        options: [Option] = [], completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        Self.start(label, target, duration / .seconds(1), easing, options, clock) { _ in completion() }
    }

    /// Retargets the same label's number, for some seconds, and calls a completion once at the end.
    @discardableResult
    public func animate(
        to target: some TickerTarget, duration: Double, easing: Easing = .linear, options: [Option] = [],
        completion: @escaping @MainActor () -> Void
    ) -> Ticker? {
        Self.start(label, target, duration, easing, options, clock) { _ in completion() }
    }
}
