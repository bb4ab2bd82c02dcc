// Identifies loops that sleep from frame to frame, so that a manual clock can wait for them between two of their sleeps.

import Synchronization

/// A loop that sleeps at each of its frames.
package final class FrameLoop: Sendable {
    /// The loop to which a sleep belongs.
    @TaskLocal static var current: FrameLoop?

    private let clock = Mutex<ManualClock?>(nil)

    /// Creates a loop that a clock doesn't wait for until it has first slept.
    package init() {}

    deinit { end() }

    /// Runs `body`. Every sleep in it belongs to this loop.
    package func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Ends the loop, so that no clock waits for it.
    package func end() {
        let clock = clock.withLock { clock in
            defer { clock = nil }
            return clock
        }
        clock?.forget(ObjectIdentifier(self))
    }

    /// Records the clock on which it sleeps.
    func sleeps(on clock: ManualClock) { self.clock.withLock { $0 = clock } }
}
