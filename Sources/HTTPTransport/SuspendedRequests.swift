// Requests whose connection is suspended. The library aborts the process when it is stopped while one is, so a server
// must be able to answer them all, whoever keeps their exchanges.

import Synchronization

/// The suspended requests of a server.
final class SuspendedRequests: Sendable {
    private struct Contents {
        var places: [PendingRequest?] = []
        var free: [Int] = []
        var isClosed = false
    }

    private let contents = Mutex(Contents())

    /// - Returns: The request's place; nil when the server stops: the request must be answered at once.
    func insert(_ request: PendingRequest) -> Int? {
        contents.withLock { contents in
            guard !contents.isClosed else { return nil }
            if let place = contents.free.popLast() {
                contents.places[place] = request
                return place
            }
            contents.places.append(request)
            return contents.places.count - 1
        }
    }

    func remove(_ place: Int) {
        contents.withLock { contents in
            guard contents.places.indices.contains(place) else { return }
            contents.places[place] = nil
            contents.free.append(place)
        }
    }

    /// Refuses others from now on.
    /// - Returns: Those that are suspended.
    func close() -> [PendingRequest] {
        contents.withLock { contents in
            contents.isClosed = true
            defer {
                contents.places = []
                contents.free = []
            }
            return contents.places.compactMap { $0 }
        }
    }

    /// Takes requests again, for a server that is started anew.
    func open() {
        contents.withLock { $0.isClosed = false }
    }
}
