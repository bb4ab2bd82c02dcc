// Whether two processes serve one address, as during a handover.

import Synchronization

/// Whether another process serves the same address.
final class ServedAddress: Sendable {
    /// Whether the socket was passed to the next process.
    private let isShared = Atomic(false)
    private let hasPredecessor: @Sendable () -> Bool

    /// - Parameter hasPredecessor: Whether the process that this one takes over from still runs.
    init(hasPredecessor: @escaping @Sendable () -> Bool) { self.hasPredecessor = hasPredecessor }

    func share() { isShared.store(true, ordering: .releasing) }

    /// Marks the address as this process's alone, as the next process didn't take over.
    func keep() { isShared.store(false, ordering: .releasing) }

    var isServedByAnother: Bool { isShared.load(ordering: .acquiring) || hasPredecessor() }
}
