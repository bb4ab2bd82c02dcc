// Who takes the board's writes by what Sentinels say. A master that another was promoted over takes them for some ten seconds
// more, until it is told, and for ever where it can't be: what it was given then is lost.

import OperatingSystem
import Synchronization

/// Asks the Sentinels all the time, and ends connections to a server that they name no more.
final class MasterWatch: Sendable {
    /// Nanoseconds between two questions.
    private static let pause: Int64 = 1_000_000_000

    private let locator: RedisLocator
    private let connections: [ConnectionInUse]
    /// Nothing comes: it is waited for until the next question, or the end.
    private let pauses = Mailbox<Never>(capacity: 0)
    private let isStopping = Atomic(false)
    private let thread = Mutex<OwnedThread?>(nil)

    init(_ locator: RedisLocator, _ connections: [ConnectionInUse]) {
        self.locator = locator
        self.connections = connections
    }

    /// - Returns: false when no thread can be started. Without Sentinels none is needed.
    func start() -> Bool {
        guard locator.address.sentinel != nil else { return true }
        let thread = OwnedThread(name: "master-watch") { [self] in run() }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        pauses.close()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        var nothing: [Never] = []
        while pauses.take(into: &nothing, until: SystemClock.monotonic() + Self.pause) {
            guard let master = locator.namedMaster(while: { !isStopping.load(ordering: .acquiring) }) else { continue }
            for connection in connections { connection.leave(for: master) }
        }
    }
}

/// The connection that a thread has, for others that end what it waits for.
final class ConnectionInUse: Sendable {
    private let connection = Mutex<RedisConnection?>(nil)

    /// By the thread that has it, before it waits for anything on it; nil when it has none.
    func set(_ new: RedisConnection?) { connection.withLock { $0 = new } }

    func interrupt() { connection.withLock { $0?.interrupt() } }

    /// Ends it where it leads to another server.
    func leave(for master: RedisEndpoint) {
        connection.withLock {
            if let known = $0, known.endpoint != master { known.interrupt(because: "\(master) is the master now") }
        }
    }
}
