// Counters by a key with a fixed set of values.

import Synchronization

/// Counters, one for each value of a key. Any thread may add and read.
package final class CounterTable<Key: Hashable & CaseIterable & Sendable>: Sendable {
    private final class Counter: Sendable {
        let value = Atomic<UInt64>(0)
    }

    private let counters: [Key: Counter]

    package init() {
        counters = Dictionary(Key.allCases.map { ($0, Counter()) }) { first, _ in first }
    }

    package func add(_ count: UInt64 = 1, to key: Key) {
        counters[key]?.value.wrappingAdd(count, ordering: .relaxed)
    }

    package subscript(key: Key) -> UInt64 { counters[key]?.value.load(ordering: .relaxed) ?? 0 }
}
