// Moves a descriptor to its owner through values that are copied: settings and mailbox messages.

import Synchronization

/// A descriptor that can be taken once. If it is never taken, the box closes it.
package final class DescriptorBox: Sendable {
    private let descriptor: Mutex<Descriptor?>

    package init(_ descriptor: consuming Descriptor) { self.descriptor = Mutex(consume descriptor) }

    /// Takes the descriptor out.
    /// - Returns: nil if it was already taken.
    package func take() -> Descriptor? { descriptor.withLock { $0.take() } }
}
