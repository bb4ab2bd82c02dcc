// Running an animation on a clock: frames at absolute deadlines, the last one exactly at the end.

extension CurveAnimator where Value: Interpolatable {
    /// Runs the animation in a task of its own.
    ///
    /// - Returns: What holds it, sends it elsewhere or ends it; it goes on without anybody keeping that.
    @discardableResult
    public func animate(on clock: any FrameClock = SystemClock()) -> Running<Value> {
        let running = Running(plan, on: clock)
        running.begin()
        return running
    }

    /// Runs the animation to its end: true, or false when the surrounding task was cancelled.
    @discardableResult
    public func run(on clock: any FrameClock = SystemClock()) async -> Bool {
        await Running(plan, on: clock).runHere()
    }

    /// The frames as they come due, from the first to the exact last; ends early when the task is cancelled.
    ///
    /// A consumer that is slower than the frames gets fewer of them, each for its own moment.
    public func frames(on clock: any FrameClock = SystemClock()) -> Frames<Value> {
        Frames(plan: plan, clock: clock)
    }
}

extension CurveAnimator where Value: Interpolatable {
    /// As ``animate(on:)-(FrameClock)``, on a clock of the standard library's protocol.
    @discardableResult
    public func animate<Timer: Clock>(on clock: Timer) -> Running<Value> where Timer.Duration == Duration {
        animate(on: FrameTimer(clock))
    }

    /// As ``run(on:)-(FrameClock)``, on a clock of the standard library's protocol.
    @discardableResult
    public func run<Timer: Clock>(on clock: Timer) async -> Bool where Timer.Duration == Duration {
        await run(on: FrameTimer(clock))
    }

    /// As ``frames(on:)-(FrameClock)``, on a clock of the standard library's protocol.
    public func frames<Timer: Clock>(on clock: Timer) -> Frames<Value> where Timer.Duration == Duration {
        frames(on: FrameTimer(clock))
    }
}
