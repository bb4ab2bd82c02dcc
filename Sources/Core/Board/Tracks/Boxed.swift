// A value behind a reference, for what is large and mostly not there.

/// An optional value of which a copy is one reference, and which takes up a word where there is none. What is in a box never
/// changes: another value is another box.
@propertyWrapper
package struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Hashable, Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }

        static func == (left: Box, right: Box) -> Bool { left === right || left.value == right.value }
        func hash(into hasher: inout Hasher) { hasher.combine(value) }
    }

    private var box: Box?

    /// No value: as generic code the other initialiser takes a thousand instructions to find that out.
    package init() {}

    package init(wrappedValue: Value?) { box = wrappedValue.map { Box($0) } }

    package var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }

    /// Whether there is a value: looking at it would copy it.
    package var projectedValue: Bool { box != nil }
}
