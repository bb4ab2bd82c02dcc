// The clock that an animation runs on: real in a program, manual in a test.

/// A source of time for animations.
///
/// ``SystemClock`` in a program, ``ManualClock`` in a test, ``FrameTimer`` for any other clock of the standard library;
/// a display's refreshes are a conformance of one's own.
public protocol FrameClock: Sendable {
    /// The time now, on a timeline that never goes back.
    var now: Instant { get async }

    /// Waits until the clock reaches `deadline`; returns at once when it has.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: Instant) async throws
}
