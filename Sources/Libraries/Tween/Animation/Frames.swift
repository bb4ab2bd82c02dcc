// The frames of one run of an animation as an asynchronous sequence.

/// The values of an animation as a sequence. Every iterator is a separate run that starts with its first frame.
public struct Frames<Value: Interpolatable>: AsyncSequence, Sendable {
    /// A frame's value.
    public typealias Element = Value
    /// It never fails; cancelling the task ends it.
    public typealias Failure = Never

    let plan: AnimationPlan<Value>
    let clock: any FrameClock

    /// Returns a separate run, which begins when its first frame is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(plan: plan, clock: clock)
    }

    /// One run.
    public struct Iterator: AsyncIteratorProtocol {
        let plan: AnimationPlan<Value>
        let clock: any FrameClock
        private let loop = FrameLoop()
        private var motion: Motion?
        private var nextFrame: Instant?
        private var isComplete = false

        init(plan: AnimationPlan<Value>, clock: any FrameClock) {
            self.plan = plan
            self.clock = clock
        }

        /// Returns the next frame when it is due; nil after the last one and when the task is cancelled.
        public mutating func next() async -> Value? {
            guard !isComplete, !Task.isCancelled else { return end() }
            if let nextFrame {
                do {
                    try await loop.run { [clock] in try await clock.sleep(until: nextFrame) }
                } catch {
                    return end()
                }
            }
            let now = await clock.now
            let motion = motion ?? plan.motion(startingAt: now)
            self.motion = motion
            isComplete = motion.isComplete(at: now)
            nextFrame = motion.nextFrame(after: now, framesPerSecond: plan.framesPerSecond)
            return plan.value(of: motion, at: now)
        }

        private func end() -> Value? {
            loop.end()
            return nil
        }
    }
}
