// Tells a supervisor again and again that all is well, for as long as it is.

import Threads

/// A thread that says so.
package final class Watchdog: Sendable {
    private let calls = Mailbox<Void>(capacity: 1)
    private let interval: Int64
    private let isWell: @Sendable () -> Bool

    /// - Parameters:
    ///   - patience: Seconds within which the supervisor wants to hear.
    ///   - isWell: Asked on the watchdog's own thread; whoever it asks about may hang.
    package init(patience: Double, isWell: @escaping @Sendable () -> Bool) {
        interval = Int64(patience / 2 * 1e9)
        self.isWell = isWell
    }

    /// Begins to tell. It goes on until the process ends.
    /// - Returns: false when the system has no thread to give.
    package func start() -> Bool { OwnedThread(name: "watchdog") { [self] in run() }.start() }

    private func run() {
        var taken: [Void] = []
        while calls.take(into: &taken, until: SystemClock.monotonic() + interval) {
            if isWell() { Supervisor.tell("WATCHDOG=1") }
        }
    }
}
