// A cache that keeps what is used, without a list in the order of use.

/// Values in two generations: one that is used moves to the younger. When that is full, the older is dropped.
package struct GenerationCache<Key: Hashable, Value> {
    /// The most values in a generation; at most twice as many exist.
    private let capacity: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    package init(capacity: Int) { self.capacity = capacity }

    /// Returns a value, which counts as used.
    /// - Returns: With it, what was dropped for it: a caller with a lock frees that outside.
    package mutating func look(up key: Key) -> (value: Value?, dropped: [Key: Value]) {
        if let known = young[key] { return (known, [:]) }
        guard let known = old[key] else { return (nil, [:]) }
        return (known, insert(known, for: key))
    }

    /// Adds or replaces a value.
    /// - Returns: What was dropped for it.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key) -> [Key: Value] {
        young[key] = value
        guard young.count >= capacity else { return [:] }
        let dropped = old
        (old, young) = (young, [:])
        return dropped
    }
}
