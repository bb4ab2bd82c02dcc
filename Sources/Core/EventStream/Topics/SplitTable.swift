// A dictionary in many parts. Only one part is rehashed at a time, so that no change of a table with a million entries takes
// long, and memory is freed when most entries are removed.

/// Values by key.
struct SplitTable<Key: Hashable, Value> {
    /// A power of two.
    private static var partCount: Int { 256 }
    /// Parts with at most this capacity are not shrunk.
    private static var leastCapacity: Int { 64 }

    private var parts: [[Key: Value]] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Gets or sets a value; setting nil removes it.
    subscript(key: Key) -> Value? {
        get { parts.isEmpty ? nil : parts[Self.part(of: key)][key] }
        set {
            if parts.isEmpty { parts = Array(repeating: [:], count: Self.partCount) }
            let part = Self.part(of: key)
            let before = parts[part].count
            parts[part][key] = newValue
            count += parts[part].count - before
            if parts[part].count < before { shrink(part) }
        }
    }

    /// Changes a key's value in place; nil means that the key has no value; setting nil removes it.
    mutating func update<Result>(_ key: Key, _ change: (inout Value?) -> Result) -> Result {
        if parts.isEmpty { parts = Array(repeating: [:], count: Self.partCount) }
        let part = Self.part(of: key)
        let before = parts[part].count
        let result = change(&parts[part][key])
        count += parts[part].count - before
        if parts[part].count < before { shrink(part) }
        return result
    }

    private mutating func shrink(_ part: Int) {
        let entries = parts[part]
        guard entries.capacity > Self.leastCapacity, entries.count < entries.capacity / 4 else { return }
        var smaller = [Key: Value](minimumCapacity: entries.count * 2)
        for (key, value) in entries { smaller[key] = value }
        parts[part] = smaller
    }

    private static func part(of key: Key) -> Int { key.hashValue & (partCount - 1) }
}
