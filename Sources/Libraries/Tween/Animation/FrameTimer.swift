// The standard library's clocks as clocks of frames: absolute deadlines, so that lateness never adds up.

/// A clock of the standard library's protocol, for animations; its timeline starts when this is made.
public struct FrameTimer<Base: Clock>: FrameClock where Base.Duration == Swift.Duration {
    private let base: Base
    private let origin: Base.Instant

    /// A clock that reads 0 now and goes as `base` does.
    public init(_ base: Base) {
        self.base = base
        origin = base.now
    }

    /// Time since this was made.
    public var now: Instant {
        get async { Instant(nanoseconds: 0).advanced(by: origin.duration(to: base.now)) }
    }

    /// Waits until `deadline`, to the clock's precision.
    public func sleep(until deadline: Instant) async throws {
        try await base.sleep(until: origin.advanced(by: .nanoseconds(deadline.nanoseconds)), tolerance: .zero)
    }
}

/// The system's monotonic clock, which goes on while the machine sleeps.
public typealias SystemClock = FrameTimer<ContinuousClock>

extension FrameTimer where Base == ContinuousClock {
    /// The system's monotonic clock, which reads 0 now.
    public init() { self.init(ContinuousClock()) }
}
