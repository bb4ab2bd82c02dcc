// A run of an animation and the loop that shows its frames. What it is told takes effect from the frame shown last, so
// that no value is skipped or repeated, and shows with the next.

import Synchronization

/// An animation under way: what holds it, sends it elsewhere or ends it, from any task or thread.
///
/// It goes on without anybody holding this, but for a run that is paused, which then ends as cancelled. Once it is over
/// commands do nothing.
public final class Running<Value: Interpolatable>: Sendable {
    /// How a run ended.
    public enum Outcome: Hashable, Sendable {
        /// At the end that it ran towards.
        case finished
        /// On the way, by ``Running/cancel()`` or since its task was cancelled.
        case cancelled
    }

    struct State {
        var trajectory: Trajectory<Value>
        /// The instant of the frame shown, at which commands take effect; nil before the first.
        var shownAt: Instant?
        var shown: Value
        var isPaused = false
        /// A frame is due though it is paused.
        var isStale = false
        var isLooping = false
        var task: Task<Void, Never>?
        /// The last frame is made, or somebody has ended it: no command takes effect any more.
        var isOver = false
        var outcome: Outcome?
        var waiters: [CheckedContinuation<Outcome, Never>] = []
    }

    private let plan: AnimationPlan<Value>
    private let clock: any FrameClock
    private let state: Mutex<State>

    init(_ plan: AnimationPlan<Value>, on clock: any FrameClock) {
        self.plan = plan
        self.clock = clock
        var trajectory = Trajectory(plan, startingAt: .origin)
        // The first frame lets it go: only then is it known what time it is.
        trajectory.motions.playback.pause(at: .origin, end: trajectory.motions.endTime)
        state = Mutex(State(trajectory: trajectory, shown: trajectory.value(at: .origin)))
    }

    deinit {
        guard claimEnd() else { return }
        Task { [plan] in
            for conclude in plan.conclusions { await conclude(false) }
        }
    }

    // MARK: - What it is at

    /// The value of the frame shown last; before the first, the value it starts from.
    public var value: Value { state.withLock { $0.shown } }

    /// Whether it is held where it is.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// How it ended, as soon as it has and completions have been told.
    public var outcome: Outcome {
        get async {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiters.append(continuation) }
                    return state.outcome
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        }
    }

    // MARK: - Commands

    /// Holds the value shown.
    public func pause() { change { state, _ in state.isPaused = true } }

    /// Goes on from the value shown, with all the time that was left.
    public func resume() { change { state, _ in state.isPaused = false } }

    /// Goes to `seconds` of its own time, the delay included, and stays paused if it is.
    public func seek(toSeconds seconds: Double) {
        change { state, now in
            state.isStale = true
            state.trajectory.motions.playback.seek(to: seconds, at: now)
        }
    }

    /// Goes so many times as fast from here on; backwards below 0, and at 0 it stands.
    public func setRate(_ rate: Double) {
        change { state, now in
            let end = state.trajectory.motions.endTime
            state.trajectory.motions.playback.setRate(rate, at: now, end: end)
        }
    }

    /// Runs the other way from here on, and goes on if it is paused.
    ///
    /// - Throws: `PlaybackError.endlessMotion` when it would start at an end that never comes; nothing is changed.
    public func reverse() throws(PlaybackError) {
        try change { state, now throws(PlaybackError) in
            let end = state.trajectory.motions.endTime
            try state.trajectory.motions.playback.reverse(at: now, end: end)
            state.isPaused = false
        }
    }

    /// Goes to the end that it runs towards, with the next frame.
    ///
    /// - Throws: `PlaybackError` for rate 0 and for an end that never comes; nothing is changed.
    public func finish() throws(PlaybackError) {
        try change { state, now throws(PlaybackError) in
            let end = state.trajectory.motions.endTime
            try state.trajectory.motions.playback.finish(at: now, end: end)
            state.isPaused = false
        }
    }

    /// Stops where it is; completions are told `false`.
    public func cancel() {
        let (task, isHeld) = state.withLock { ($0.task, !$0.isLooping) }
        task?.cancel()
        if isHeld, claimEnd() { Task { await tell(.cancelled) } }
    }

    /// Carries a command out at the instant of the frame shown, and sees to it that a frame follows.
    private func change<Failure: Error>(
        _ command: (inout State, Instant) throws(Failure) -> Void
    ) throws(Failure) {
        try state.withLock { state throws(Failure) in
            guard !state.isOver else { return }
            let now = state.shownAt ?? .origin
            try command(&state, now)
            if state.isPaused || state.shownAt == nil {
                let end = state.trajectory.motions.endTime
                state.trajectory.motions.playback.pause(at: now, end: end)
            }
            start(&state)
        }
    }

    /// Starts the loop unless there is one or nothing to show.
    private func start(_ state: inout State) {
        guard !state.isLooping, !state.isPaused || state.isStale else { return }
        state.isLooping = true
        state.task = Task { await loop() }
    }
}

extension Running where Value: InterpolatableVector {
    /// Sends it elsewhere from the value shown, by the animator's easing or spring and without its delay; each coordinate
    /// keeps its velocity. One that is paused stays so.
    public func retarget(to target: Value) {
        change { state, now in
            state.trajectory = state.trajectory.retargeted(to: target, as: plan, at: now)
        }
    }
}

// MARK: - Frames

extension Running {
    private enum Step: Sendable {
        case frame(Value, next: Instant)
        /// A frame while it is paused.
        case still(Value)
        case last(Value)
        case held
    }

    /// Starts a loop in a task of its own.
    func begin() { change { _, _ in } }

    /// Runs it in the surrounding task, to its end or until that is cancelled; true at the end.
    func runHere() async -> Bool {
        state.withLock { $0.isLooping = true }
        await loop()
        return state.withLock { $0.outcome == .finished }
    }

    /// Shows frames until there are none, it is paused or the task is cancelled; one loop at a time.
    private func loop() async {
        let loop = FrameLoop()
        await loop.run {
            while !Task.isCancelled {
                switch step(at: await clock.now) {
                case .held: return
                case .still(let value): await show(value)
                case .last(let value):
                    await show(value)
                    return await tell(.finished)
                case .frame(let value, let next):
                    await show(value)
                    try? await clock.sleep(until: next)
                }
            }
            if claimEnd() { await tell(.cancelled) }
        }
        loop.end()
    }

    private func step(at now: Instant) -> Step {
        state.withLock { state in
            guard !state.isOver, !state.isPaused || state.isStale else {
                state.isLooping = false
                return .held
            }
            state.isStale = false
            if !state.isPaused {
                state.trajectory.motions.playback.resume(at: now)
                state.shownAt = now
            }
            let motions = state.trajectory.motions
            state.shown = state.trajectory.value(at: now)
            if state.isPaused { return .still(state.shown) }
            state.isOver = motions.isComplete(at: now)
            if state.isOver { return .last(state.shown) }
            let next = motions.playback.nextFrame(
                after: now, framesPerSecond: plan.framesPerSecond, end: motions.end)
            return .frame(state.shown, next: next)
        }
    }

    private func show(_ value: Value) async {
        for observe in plan.observers { await observe(value) }
    }

    /// Makes it over, unless it is: true for the one who does.
    private func claimEnd() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    /// Tells the completions, and then those who wait for the outcome.
    private func tell(_ outcome: Outcome) async {
        for conclude in plan.conclusions { await conclude(outcome == .finished) }
        let waiters = state.withLock { state in
            state.outcome = outcome
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}

extension Instant {
    /// The time before a clock was asked.
    fileprivate static let origin = Instant(nanoseconds: 0)
}
