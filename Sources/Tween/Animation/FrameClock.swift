// The clock that an animation runs on: real in a program, manual in a test.

/// A source of time for animations.
public protocol FrameClock: Sendable {
    /// The time now, on a timeline that never goes back.
    var now: Instant { get async }

    /// Waits until the clock reaches `deadline`; returns at once when it has.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: Instant) async throws

    /// Runs an animation; a clock that is driven by hand can wait for those that run on it.
    func attend(_ animation: @Sendable () async -> Bool) async -> Bool
}

extension FrameClock {
    /// Runs the animation and waits for nobody.
    public func attend(_ animation: @Sendable () async -> Bool) async -> Bool {
        await animation()
    }
}
