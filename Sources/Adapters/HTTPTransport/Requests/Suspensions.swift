// The registry of suspended connections. The library aborts the process if it is stopped while one is suspended, so a server
// must be able to resume them all, even while other code holds their responders and bodies.

import Base
import Synchronization

/// Something that a suspended connection waits for.
protocol Suspended: AnyObject, Sendable {
    /// Resumes the connection without a result, because the server stops. Any thread may call this.
    func release()
}

/// The suspended connections of a server.
final class Suspensions: Sendable {
    private struct Contents {
        var waiting = SlotTable<any Suspended>()
        var isClosed = false
    }

    private let contents = Mutex(Contents())
    /// Suspended connections whose TLS sessions are lent to streams.
    let loans = Atomic<Int>(0)

    /// - Returns: Its key; nil when the server stops, and the connection must not be suspended.
    func insert(_ suspended: any Suspended) -> Int? {
        contents.withLock { contents in
            contents.isClosed ? nil : contents.waiting.insert(suspended)
        }
    }

    func remove(_ key: Int) {
        contents.withLock { _ = $0.waiting.remove(at: key) }
    }

    /// Rejects further suspensions.
    /// - Returns: The current ones.
    func close() -> [any Suspended] {
        contents.withLock { contents in
            contents.isClosed = true
            defer { contents.waiting = SlotTable() }
            return contents.waiting.slots.compactMap { $0 }
        }
    }

    /// Accepts suspensions again, when the server is restarted.
    func open() {
        contents.withLock { $0.isClosed = false }
    }
}
