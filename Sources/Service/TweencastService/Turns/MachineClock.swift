// The clocks of the machine, which a simulation replaces.

import OperatingSystem

/// The clocks of the machine, in nanoseconds. Any thread may read them.
package struct MachineClock: Sendable {
    /// Since the Unix epoch. It may be set.
    package var wall: @Sendable () -> Int64
    /// Of a clock that never goes back.
    package var monotonic: @Sendable () -> Int64
    /// Since the machine started, asleep or awake.
    package var sinceBoot: @Sendable () -> Int64
    /// Identifies the run of the machine; empty if that is unknown.
    package var run: @Sendable () -> String

    package static let system = MachineClock()

    /// Creates the system's clocks, with others in place of some.
    package init(
        wall: @escaping @Sendable () -> Int64 = { SystemClock.wall() },
        monotonic: @escaping @Sendable () -> Int64 = { SystemClock.monotonic() },
        sinceBoot: @escaping @Sendable () -> Int64 = { SystemClock.sinceBoot() },
        run: @escaping @Sendable () -> String = { ProcessFacts.machineRun() }
    ) {
        (self.wall, self.monotonic, self.sinceBoot, self.run) = (wall, monotonic, sinceBoot, run)
    }
}
