// A descriptor in values that are copied, such as the items of an array.

/// A descriptor that is closed when the last of its holders is gone.
package final class SharedDescriptor: Sendable {
    private let descriptor: Descriptor

    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Valid for as long as somebody holds this.
    package var number: Int32 { descriptor.number }
}
