// A value behind a reference, for values that are large and mostly absent.

/// An optional value that takes one word and is copied as one reference. Boxes are immutable: a new value makes a new box.
@propertyWrapper
package struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Hashable, Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }

        static func == (left: Box, right: Box) -> Bool { left === right || left.value == right.value }
        func hash(into hasher: inout Hasher) { hasher.combine(value) }
    }

    private var box: Box?

    /// No value: the other initialiser, as generic code, takes a thousand instructions to find that out.
    package init() {}

    package init(wrappedValue: Value?) { box = wrappedValue.map { Box($0) } }

    package var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }

    /// Whether there is a value; reading the value would copy it.
    package var projectedValue: Bool { box != nil }
}
