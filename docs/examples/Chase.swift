// A dot that follows a finger: every touch sends it elsewhere, at the speed that it has.

public import Tween

/// A dot on a spring.
public struct Chase {
    private let running: RunningAnimation<SIMD2<Double>>

    /// Lets the dot go from one place to another; `show` is told where it is.
    public init(
        from place: SIMD2<Double>, to target: SIMD2<Double>, on clock: any FrameClock = SystemClock(),
        show: @escaping @Sendable (SIMD2<Double>) -> Void
    ) throws {
        running = SpringAnimator(try Spring(duration: 0.4, bounce: 0.2))
            .from(place).to(target).onFrame { show($0) }.animate(on: clock)
    }

    /// Sends it elsewhere, from where it is.
    public func move(to target: SIMD2<Double>) { running.retarget(to: target) }

    /// Waits until it is where it was sent last.
    public func arrival() async -> Bool { await running.outcome == .finished }
}
