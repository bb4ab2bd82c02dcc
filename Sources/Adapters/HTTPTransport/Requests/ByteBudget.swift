// The memory limit of bodies on their way: of requests that are arriving, or of answers that wait to be read.

import Base
import Synchronization

/// A budget of bytes. No owner may hold more than is left free; bodies without an owner are only limited by what is left.
final class ByteBudget: Sendable {
    /// The number of bodies is bounded by that of connections, so places are unlimited.
    private let share: Mutex<FairShare>

    /// - Parameter most: The most bytes of one owner.
    init(_ limit: Int, perOwner most: Int = .max) {
        share = Mutex(FairShare(places: .max, bytes: limit, perOwner: most))
    }

    /// Bytes in use.
    var bytes: Int { share.withLock { $0.usedBytes } }

    /// Returns whether this many more bytes would fit now.
    func hasRoom(for count: Int, of owner: String?) -> Bool { share.withLock { $0.admits(count, of: owner) } }

    /// Takes bytes from the budget.
    /// - Parameters:
    ///   - isFirst: The body has none yet.
    ///   - isForced: They are taken even if they don't fit.
    /// - Returns: false when they don't fit; then none are taken.
    func reserve(_ count: Int, of owner: String?, isFirst: Bool, isForced: Bool = false) -> Bool {
        share.withLock { share in
            guard isForced || share.admits(count, of: owner) else { return false }
            if isFirst { share.reserve(count, of: owner) } else { share.grow(by: count, of: owner) }
            return true
        }
    }

    /// Returns all bytes of a body to the budget.
    func give(_ count: Int, of owner: String?) { share.withLock { $0.free(count, of: owner) } }
}
