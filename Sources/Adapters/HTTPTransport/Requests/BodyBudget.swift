// The memory limit of all request bodies that are arriving.

import Base
import Synchronization

/// A budget of bytes. No owner may hold more than is left free; bodies without an owner are only limited by what is left.
final class BodyBudget: Sendable {
    /// The number of bodies is bounded by that of connections, so places are unlimited.
    private let share: Mutex<FairShare>

    init(_ limit: Int) { share = Mutex(FairShare(places: .max, bytes: limit)) }

    /// Bytes of arriving bodies.
    var bytes: Int { share.withLock { $0.usedBytes } }

    /// Returns whether this many more bytes would fit now.
    func hasRoom(for count: Int, of owner: String?) -> Bool { share.withLock { $0.admits(count, of: owner) } }

    /// Takes bytes from the budget.
    /// - Parameter isFirst: The body has none yet.
    /// - Returns: false when they don't fit; then none are taken.
    func take(_ count: Int, of owner: String?, isFirst: Bool) -> Bool {
        share.withLock { share in
            guard share.admits(count, of: owner) else { return false }
            if isFirst { share.take(count, of: owner) } else { share.grow(by: count, of: owner) }
            return true
        }
    }

    /// Returns all bytes of a body to the budget.
    func give(_ count: Int, of owner: String?) { share.withLock { $0.free(count, of: owner) } }
}
