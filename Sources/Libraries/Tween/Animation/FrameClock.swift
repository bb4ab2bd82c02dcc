// The clock of an animation: real in a program, manual in a test.

/// A source of time for animations.
///
/// ``SystemClock`` in a program, ``ManualClock`` in a test, ``FrameTimer`` for any other clock of the standard library. To
/// follow a display's refreshes, write your own conformance.
public protocol FrameClock: Sendable {
    /// The current time, on a timeline that never goes back.
    var now: Instant { get async }

    /// Waits until the clock reaches `deadline`; returns at once if it has.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: Instant) async throws
}
