// Tracks the master named by the Sentinels. After a failover, the old master still accepts writes for some ten seconds,
// until it is demoted, and forever if it can't be reached. Those writes are lost.

import OperatingSystem
import Synchronization

/// Polls the Sentinels, and ends connections to a server that is no longer the master.
final class MasterWatch: Sendable {
    /// Nanoseconds between two polls.
    private static let pause: Int64 = 1_000_000_000

    private let server: any BoardServer
    private let connections: [ConnectionInUse]
    /// Never receives a message; waiting on it pauses until the next poll or the end.
    private let pauses = Mailbox<Never>(capacity: 0)
    private let isStopping = Atomic(false)
    private let thread = Mutex<OwnedThread?>(nil)

    init(_ server: any BoardServer, _ connections: [ConnectionInUse]) {
        self.server = server
        self.connections = connections
    }

    /// - Returns: false when no thread can be started. Without Sentinels, none is needed.
    func start() -> Bool {
        guard server.address.sentinel != nil else { return true }
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
        while pauses.receive(into: &nothing, until: SystemClock.monotonic() + Self.pause) {
            guard let master = server.namedMaster(while: { !isStopping.load(ordering: .acquiring) }) else { continue }
            for connection in connections { connection.interrupt(for: master) }
        }
    }
}

/// A thread's current connection, so that others can interrupt it.
final class ConnectionInUse: Sendable {
    private let connection = Mutex<(any RedisLink)?>(nil)

    /// Sets the connection, before the thread waits on it; nil if there is none. Only for the thread that uses it.
    func set(_ new: (any RedisLink)?) { connection.withLock { $0 = new } }

    func interrupt() { connection.withLock { $0?.interrupt() } }

    /// Interrupts the connection if it leads to another server than the master.
    func interrupt(for master: RedisEndpoint) {
        connection.withLock {
            if let known = $0, known.endpoint != master { known.interrupt(because: "\(master) is the master now") }
        }
    }
}
