// Sends the supervisor regular watchdog notifications while the process is healthy.

import Base
import Synchronization

/// The thread that sends watchdog notifications.
package final class Watchdog: Sendable {
    private let calls = Mailbox<Void>(capacity: 1)
    private let interval: Int64
    private let isWell: @Sendable () -> Bool
    private let thread = Mutex<OwnedThread?>(nil)

    /// - Parameters:
    ///   - supervisorInterval: The supervisor's watchdog interval in seconds.
    ///   - isWell: Called on the watchdog's own thread, since what it checks may hang.
    package init(supervisorInterval: Double, isWell: @escaping @Sendable () -> Bool) {
        interval = Int64(saturating: supervisorInterval / 2 * 1e9)
        self.isWell = isWell
    }

    /// Starts the notifications.
    /// - Returns: false when no thread can be started.
    package func start() -> Bool {
        let started = OwnedThread(name: "watchdog") { [self] in run() }
        guard started.start() else { return false }
        thread.withLock { $0 = started }
        return true
    }

    /// Stops the notifications.
    package func stop() {
        calls.close()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        var taken: [Void] = []
        // The first one is sent at once: loading the store may already have used up much of the interval.
        repeat {
            if isWell() { Supervisor.notify("WATCHDOG=1") }
        } while calls.receive(into: &taken, until: SystemClock.monotonic().addingSaturated(interval))
    }
}
