// A descriptor on its way to its owner through values that are copied: settings, and the mail of a thread.

import Synchronization

/// A descriptor for whoever takes it. Where nobody does, it is closed with the box.
package final class DescriptorBox: Sendable {
    private let descriptor: Mutex<Descriptor?>

    package init(_ descriptor: consuming Descriptor) { self.descriptor = Mutex(consume descriptor) }

    /// - Returns: nil when it has been taken.
    package func take() -> Descriptor? { descriptor.withLock { $0.take() } }
}
