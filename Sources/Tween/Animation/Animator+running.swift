// Running an animation on a clock: frames at absolute deadlines, the last one exactly at the end.

extension Animator where Value: Interpolatable {
    /// Runs the animation in a task of its own; cancelling the task stops it where it is.
    ///
    /// - Returns: The task; its value is what the completion is told.
    @discardableResult
    public func animate(on clock: some FrameClock = SystemClock()) -> Task<Bool, Never> {
        Task { await run(on: clock) }
    }

    /// Runs the animation to its end: true, or false when the surrounding task was cancelled.
    @discardableResult
    public func run(on clock: some FrameClock = SystemClock()) async -> Bool {
        let finished = await clock.attend {
            var frames = self.frames(on: clock).makeAsyncIterator()
            while let frame = await frames.next() { await observer?(frame) }
            return frames.isComplete
        }
        await conclusion?(finished)
        return finished
    }

    /// The frames as they come due, from the first to the exact last; ends early when the task is cancelled.
    ///
    /// A consumer that is slower than the frames gets fewer of them, each for its own moment.
    public func frames<Clock: FrameClock>(on clock: Clock) -> Frames<Value, Clock> {
        Frames(animator: self, clock: clock)
    }

    /// The value at an instant of a motion made by ``motion(startingAt:)``.
    public func value(of motion: Motion, at instant: Instant) -> Value? {
        guard let start else { return nil }
        return Value.interpolated(from: start, to: target ?? start, at: motion.value(at: instant))
    }
}
