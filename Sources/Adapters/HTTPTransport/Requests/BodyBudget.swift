// The memory of all request bodies that are under way together.

import Base
import Synchronization

/// A budget of bytes, of which no owner has more than is left free. What has no owner is held to what is left alone.
final class BodyBudget: Sendable {
    /// A place for each body; their number is bounded by that of connections.
    private let share: Mutex<FairShare>

    init(_ limit: Int) { share = Mutex(FairShare(places: .max, bytes: limit)) }

    /// Bytes of bodies under way.
    var bytes: Int { share.withLock { $0.usedBytes } }

    /// Whether so many bytes more would fit now.
    func hasRoom(for count: Int, of owner: String?) -> Bool { share.withLock { $0.admits(count, of: owner) } }

    /// - Parameter isFirst: The body has none yet.
    /// - Returns: false when they don't fit; nothing is taken then.
    func take(_ count: Int, of owner: String?, isFirst: Bool) -> Bool {
        share.withLock { share in
            guard share.admits(count, of: owner) else { return false }
            if isFirst { share.take(count, of: owner) } else { share.grow(by: count, of: owner) }
            return true
        }
    }

    /// Gives back all bytes of a body.
    func give(_ count: Int, of owner: String?) { share.withLock { $0.free(count, of: owner) } }
}
