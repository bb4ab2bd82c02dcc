// A computer: its clocks, and the disk that its processes leave behind.

import TweencastService

/// A computer's clocks. The wall clock can be set, and all of them run too fast or too slow by a little.
final class SimulatedMachine: @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// Unix nanoseconds when the world begins.
    static let beginning: Int64 = 1_700_000_000_000_000_000
    /// Nanoseconds for which it ran before.
    private static let uptime: Int64 = 1_000_000_000_000

    private let world: World
    /// By how many millionths its clocks are fast.
    private let drift: Int64
    /// By how many nanoseconds its wall clock was set.
    private(set) var offset: Int64 = 0

    init(_ world: World, drift: Int64) {
        self.world = world
        self.drift = drift
    }

    var monotonic: Int64 { Self.uptime + world.now + world.now / 1_000_000 * drift }

    /// Sets the wall clock.
    func set(to offset: Int64) { self.offset = offset }

    /// Returns the world's time at which the monotonic clock will have reached an instant.
    func worldTime(ofMonotonic instant: Int64) -> Int64 {
        let passed = max(0, instant - Self.uptime)
        // A microsecond more than the division, which rounds down.
        return passed - passed / (1_000_000 + drift) * drift + .microseconds(1)
    }

    var clock: MachineClock {
        MachineClock(
            wall: { [self] in Self.beginning + (monotonic - Self.uptime) + offset }, monotonic: { [self] in monotonic },
            sinceBoot: { [self] in monotonic }, run: { "simulated" })
    }
}
