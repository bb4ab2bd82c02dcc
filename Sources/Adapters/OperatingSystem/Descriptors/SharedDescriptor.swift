// A descriptor for values that are copied, such as the items of an array.

/// A descriptor that is closed when its last reference ends.
package final class SharedDescriptor: Sendable {
    private let descriptor: Descriptor

    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Valid as long as this object is alive.
    package var number: Int32 { descriptor.number }
}
