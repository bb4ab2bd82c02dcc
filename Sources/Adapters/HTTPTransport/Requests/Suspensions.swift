// What keeps a connection suspended. The library aborts the process when it is stopped while one is, so a server must be
// able to let all of them go, whoever keeps their exchanges and bodies.

import Base
import Synchronization

/// Something that a suspended connection waits for.
protocol Suspended: AnyObject, Sendable {
    /// The server stops: the connection is resumed, without what it waited for. On any thread.
    func release()
}

/// The suspended connections of a server.
final class Suspensions: Sendable {
    private struct Contents {
        var waiting = SlotTable<any Suspended>()
        var isClosed = false
    }

    private let contents = Mutex(Contents())
    /// How many of them streams have the TLS sessions of.
    let loans = Atomic<Int>(0)

    /// - Returns: Its place; nil when the server stops: the connection must not be suspended.
    func insert(_ suspended: any Suspended) -> Int? {
        contents.withLock { contents in
            contents.isClosed ? nil : contents.waiting.insert(suspended)
        }
    }

    func remove(_ place: Int) {
        contents.withLock { _ = $0.waiting.remove(at: place) }
    }

    /// Refuses others from now on.
    /// - Returns: Those that are suspended.
    func close() -> [any Suspended] {
        contents.withLock { contents in
            contents.isClosed = true
            defer { contents.waiting = SlotTable() }
            return contents.waiting.slots.compactMap { $0 }
        }
    }

    /// Takes others again, for a server that is started anew.
    func open() {
        contents.withLock { $0.isClosed = false }
    }
}
