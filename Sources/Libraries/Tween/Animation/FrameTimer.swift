// Adapts the standard library's clocks to frames. Deadlines are absolute, so delays never add up.

/// A standard library clock for animations. Its timeline starts when it is created.
public struct FrameTimer<Base: Clock>: FrameClock where Base.Duration == Swift.Duration {
    private let base: Base
    private let origin: Base.Instant

    /// Creates a clock that reads 0 now and follows `base`.
    public init(_ base: Base) {
        self.base = base
        origin = base.now
    }

    /// The time since it was created.
    public var now: Instant {
        get async { Instant(nanoseconds: 0).advanced(by: origin.duration(to: base.now)) }
    }

    /// Waits until `deadline`, to the clock's precision.
    public func sleep(until deadline: Instant) async throws {
        try await base.sleep(until: origin.advanced(by: .nanoseconds(deadline.nanoseconds)), tolerance: .zero)
    }
}

/// The system's monotonic clock, which continues while the machine sleeps.
public typealias SystemClock = FrameTimer<ContinuousClock>

extension FrameTimer where Base == ContinuousClock {
    /// Creates a clock that reads 0 now.
    public init() { self.init(ContinuousClock()) }
}
