// Runs animations on a clock: frames at absolute deadlines, the last one exactly at the end.

extension CurveAnimator where Value: Interpolatable {
    /// Runs the animation in its own task.
    ///
    /// - Returns: A handle that pauses, retargets or ends it. The animation continues even if the handle is dropped.
    @discardableResult
    public func animate(on clock: any FrameClock = SystemClock()) -> RunningAnimation<Value> {
        let running = RunningAnimation(plan, on: clock)
        running.begin()
        return running
    }

    /// Runs the animation to its end. Returns true, or false if the surrounding task was cancelled.
    @discardableResult
    public func run(on clock: any FrameClock = SystemClock()) async -> Bool {
        await RunningAnimation(plan, on: clock).runHere()
    }

    /// Returns the frames as they come due, from the first to the exact last one. Ends early if the task is cancelled.
    ///
    /// A consumer slower than the frames gets fewer of them, each for its own moment.
    public func frames(on clock: any FrameClock = SystemClock()) -> Frames<Value> {
        Frames(plan: plan, clock: clock)
    }
}

extension CurveAnimator where Value: Interpolatable {
    /// Like ``animate(on:)-(FrameClock)``, on a clock of the standard library's protocol.
    @discardableResult
    public func animate<Timer: Clock>(on clock: Timer) -> RunningAnimation<Value> where Timer.Duration == Duration {
        animate(on: FrameTimer(clock))
    }

    /// Like ``run(on:)-(FrameClock)``, on a clock of the standard library's protocol.
    @discardableResult
    public func run<Timer: Clock>(on clock: Timer) async -> Bool where Timer.Duration == Duration {
        await run(on: FrameTimer(clock))
    }

    /// Like ``frames(on:)-(FrameClock)``, on a clock of the standard library's protocol.
    public func frames<Timer: Clock>(on clock: Timer) -> Frames<Value> where Timer.Duration == Duration {
        frames(on: FrameTimer(clock))
    }
}
