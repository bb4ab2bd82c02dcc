// A value that many read and an operator replaces now and then.

import Synchronization

/// Holds a value; any thread reads and replaces it.
package final class Reloadable<Value: Sendable>: Sendable {
    private let held: Mutex<Value>

    package init(_ value: Value) { held = Mutex(value) }

    package var value: Value { held.withLock { $0 } }

    package func replace(by value: Value) { held.withLock { $0 = value } }
}
