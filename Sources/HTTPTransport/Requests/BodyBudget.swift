// The memory of all request bodies that are under way together.

import Synchronization

/// A budget of bytes.
final class BodyBudget: Sendable {
    private let limit: Int
    private let used = Atomic<Int>(0)

    init(_ limit: Int) { self.limit = limit }

    /// Bytes of bodies under way.
    var bytes: Int { used.load(ordering: .relaxed) }

    /// Whether so many bytes would fit now.
    func hasRoom(for count: Int) -> Bool { count <= limit - min(limit, bytes) }

    /// - Returns: false when they don't fit; nothing is taken then.
    func take(_ count: Int) -> Bool {
        // No overflow: a piece is at most as long as the library's buffer, and what is used is at most the limit and one
        // such piece a worker.
        if used.wrappingAdd(count, ordering: .relaxed).newValue <= limit { return true }
        give(count)
        return false
    }

    func give(_ count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }
}
