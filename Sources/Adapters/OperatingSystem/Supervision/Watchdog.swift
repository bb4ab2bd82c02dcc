// Tells a supervisor again and again that all is well, for as long as it is.

import Base
import Synchronization

/// A thread that says so.
package final class Watchdog: Sendable {
    private let calls = Mailbox<Void>(capacity: 1)
    private let interval: Int64
    private let isWell: @Sendable () -> Bool
    private let thread = Mutex<OwnedThread?>(nil)

    /// - Parameters:
    ///   - patience: Seconds within which the supervisor wants to hear.
    ///   - isWell: ServiceRequest on the watchdog's own thread; whoever it asks about may hang.
    package init(patience: Double, isWell: @escaping @Sendable () -> Bool) {
        interval = Int64(saturating: patience / 2 * 1e9)
        self.isWell = isWell
    }

    /// Begins to tell.
    /// - Returns: false when no thread can be started.
    package func start() -> Bool {
        let started = OwnedThread(name: "watchdog") { [self] in run() }
        guard started.start() else { return false }
        thread.withLock { $0 = started }
        return true
    }

    /// Tells nothing any more.
    package func stop() {
        calls.close()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        var taken: [Void] = []
        // At once: the supervisor may have waited for some time already, while all was read that is kept.
        repeat {
            if isWell() { Supervisor.tell("WATCHDOG=1") }
        } while calls.take(into: &taken, until: SystemClock.monotonic().addingSaturated(interval))
    }
}
