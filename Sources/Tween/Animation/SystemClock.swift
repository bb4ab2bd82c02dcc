// Real time for animations: the continuous clock, with absolute deadlines, so that lateness never adds up.

/// The system's monotonic clock; its timeline starts when it is made.
public struct SystemClock: FrameClock {
    private let origin: ContinuousClock.Instant

    /// A clock that reads 0 now.
    public init() {
        origin = ContinuousClock.now
    }

    /// Time since the clock was made.
    public var now: Instant {
        get async {
            let (seconds, attoseconds) = origin.duration(to: ContinuousClock.now).components
            return Instant(nanoseconds: seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
        }
    }

    /// Waits until `deadline`, to the system's precision.
    public func sleep(until deadline: Instant) async throws {
        try await Task.sleep(
            until: origin.advanced(by: .nanoseconds(deadline.nanoseconds)), tolerance: .zero, clock: .continuous)
    }
}
