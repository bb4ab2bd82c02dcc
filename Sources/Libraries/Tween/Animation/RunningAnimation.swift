// A running animation and its frame loop. Commands take effect from the last shown frame, so that no value is skipped or
// repeated; the next frame shows them.

import Synchronization

/// A running animation, which any task or thread can pause, retarget or end.
///
/// It continues without a reference to this object, unless it is paused: then it ends as cancelled. After its end, commands
/// do nothing.
public final class RunningAnimation<Value: Interpolatable>: Sendable {
    /// How a run ended.
    public enum Outcome: Hashable, Sendable {
        /// It reached the end that it ran towards.
        case finished
        /// Before that, by ``RunningAnimation/cancel()`` or because its task was cancelled.
        case cancelled
    }

    struct State {
        var trajectory: Trajectory<Value>
        /// The instant of the shown frame, at which commands take effect; nil before the first.
        var shownAt: Instant?
        var shown: Value
        var isPaused = false
        /// A frame is due although it is paused.
        var isStale = false
        var isLooping = false
        var task: Task<Void, Never>?
        /// The last frame was made, or the run was ended: no further command takes effect.
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
        // The first frame starts it, since only then is the time known.
        trajectory.motions.playback.pause(at: .origin, end: trajectory.motions.endTime)
        state = Mutex(State(trajectory: trajectory, shown: trajectory.value(at: .origin)))
    }

    deinit {
        guard claimEnd() else { return }
        Task { [plan] in
            for conclude in plan.conclusions { await conclude(false) }
        }
    }

    // MARK: - State

    /// The value of the last shown frame; before the first, the start value.
    public var value: Value { state.withLock { $0.shown } }

    /// Whether it is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// How it ended. Returns once it has ended and all completions were called.
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

    /// Pauses at the shown value.
    public func pause() { change { state, _ in state.isPaused = true } }

    /// Continues from the shown value with all remaining time.
    public func resume() { change { state, _ in state.isPaused = false } }

    /// Moves to `seconds` of its own time, delay included. A paused run stays paused.
    public func seek(toSeconds seconds: Double) {
        change { state, now in
            state.isStale = true
            state.trajectory.motions.playback.seek(to: seconds, at: now)
        }
    }

    /// Changes the speed factor from here on. Below 0 it runs backwards; at 0 it stands still.
    public func setRate(_ rate: Double) {
        change { state, now in
            let end = state.trajectory.motions.endTime
            state.trajectory.motions.playback.setRate(rate, at: now, end: end)
        }
    }

    /// Reverses the direction from here on, and resumes if it is paused.
    ///
    /// - Throws: `PlaybackError.endlessMotion` if it would start at an end that never comes; nothing changes then.
    public func reverse() throws(PlaybackError) {
        try change { state, now throws(PlaybackError) in
            let end = state.trajectory.motions.endTime
            try state.trajectory.motions.playback.reverse(at: now, end: end)
            state.isPaused = false
        }
    }

    /// Jumps to the end that it runs towards, with the next frame.
    ///
    /// - Throws: `PlaybackError` for rate 0 and for an end that never comes; nothing changes then.
    public func finish() throws(PlaybackError) {
        try change { state, now throws(PlaybackError) in
            let end = state.trajectory.motions.endTime
            try state.trajectory.motions.playback.finish(at: now, end: end)
            state.isPaused = false
        }
    }

    /// Stops at the shown value; completions receive `false`.
    public func cancel() {
        let (task, isHeld) = state.withLock { ($0.task, !$0.isLooping) }
        task?.cancel()
        if isHeld, claimEnd() { Task { await report(.cancelled) } }
    }

    /// Applies a command at the instant of the shown frame, and ensures that a frame follows.
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

    /// Starts the loop, unless it runs or there is nothing to show.
    private func start(_ state: inout State) {
        guard !state.isLooping, !state.isPaused || state.isStale else { return }
        state.isLooping = true
        state.task = Task { await loop() }
    }
}

extension RunningAnimation where Value: InterpolatableVector {
    /// Retargets it from the shown value, with the animator's easing or spring and without its delay. Each coordinate keeps
    /// its velocity. A paused run stays paused, and later starts from rest.
    public func retarget(to target: Value) {
        change { state, now in
            state.trajectory = state.trajectory.retargeted(to: target, as: plan, at: now)
        }
    }
}

// MARK: - Frames

extension RunningAnimation {
    private enum Step: Sendable {
        case frame(Value, next: Instant)
        /// A frame while paused.
        case still(Value)
        case last(Value)
        case held
    }

    /// Starts a loop in its own task.
    func begin() { change { _, _ in } }

    /// Runs it in the surrounding task, until its end or a cancellation. Returns true at the end.
    func runHere() async -> Bool {
        state.withLock { $0.isLooping = true }
        await loop()
        return state.withLock { $0.outcome == .finished }
    }

    /// Shows frames until there are none, it is paused or the task is cancelled. Only one loop runs at a time.
    private func loop() async {
        let loop = FrameLoop()
        await loop.run {
            while !Task.isCancelled {
                switch step(at: await clock.now) {
                case .held: return
                case .still(let value): await show(value)
                case .last(let value):
                    await show(value)
                    return await report(.finished)
                case .frame(let value, let next):
                    await show(value)
                    try? await clock.sleep(until: next)
                }
            }
            if claimEnd() { await report(.cancelled) }
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

    /// Marks the run as over. Returns true for the first caller only.
    private func claimEnd() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    /// Calls the completions, and then resumes tasks that wait for the outcome.
    private func report(_ outcome: Outcome) async {
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
    /// The instant used before the clock was read.
    fileprivate static let origin = Instant(nanoseconds: 0)
}
