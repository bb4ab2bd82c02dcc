// At a hand-over two processes take requests at one address for a while.

import Synchronization

/// Whether another process serves the same address.
final class ServedAddress: Sendable {
    /// The socket was given to a next process.
    private let isShared = Atomic(false)
    private let hasPredecessor: @Sendable () -> Bool

    /// - Parameter hasPredecessor: Whether the process that this one takes over from is there.
    init(hasPredecessor: @escaping @Sendable () -> Bool) { self.hasPredecessor = hasPredecessor }

    func share() { isShared.store(true, ordering: .releasing) }

    /// The next process didn't take over.
    func keep() { isShared.store(false, ordering: .releasing) }

    var isServedByAnother: Bool { isShared.load(ordering: .acquiring) || hasPredecessor() }
}
