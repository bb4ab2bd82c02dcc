// Who sleeps from frame to frame: a clock that is driven by hand waits for it between two of its sleeps.

import Synchronization

/// A loop that sleeps at each of its frames.
package final class FrameLoop: Sendable {
    /// The loop whose sleep it is.
    @TaskLocal static var current: FrameLoop?

    private let clock = Mutex<ManualClock?>(nil)

    /// A loop that nobody waits for until it has slept for the first time.
    package init() {}

    deinit { end() }

    /// Runs `body`, in which every sleep is this loop's.
    package func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Sleeps no more: nobody needs to wait for it.
    package func end() {
        let clock = clock.withLock { clock in
            defer { clock = nil }
            return clock
        }
        clock?.forget(ObjectIdentifier(self))
    }

    /// Has fallen asleep on a clock.
    func sleeps(on clock: ManualClock) { self.clock.withLock { $0 = clock } }
}
