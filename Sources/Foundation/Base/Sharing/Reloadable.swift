// A value that many threads read and an operator replaces occasionally.

import Synchronization

/// Holds a value that any thread may read and replace.
package final class Reloadable<Value: Sendable>: Sendable {
    private let held: Mutex<Value>

    package init(_ value: Value) { held = Mutex(value) }

    package var value: Value { held.withLock { $0 } }

    package func replace(by value: Value) { held.withLock { $0 = value } }
}
