// The names on a board, mapped to slots and sorted.

import Base

/// Names of a board. Tracks and schedules have separate slot numbers.
struct BoardNames {
    private var slots: [ResourceName: Int] = [:]
    private var index = NameIndex()

    mutating func reserveCapacity(_ count: Int) { slots.reserveCapacity(count) }

    subscript(name: ResourceName) -> Int? { slots[name] }

    mutating func insert(_ name: ResourceName, at slot: Int) {
        slots[name] = slot
        index.insert(name)
    }

    mutating func remove(_ name: ResourceName) {
        slots[name] = nil
        index.remove(name)
    }

    func count(of kind: ResourceKind) -> Int { index.count(of: kind) }

    /// Returns the first names of a kind with a prefix, by id.
    /// - Parameters:
    ///   - prefix: What ids begin with; empty matches all.
    ///   - id: Only ids after it are returned; it need not exist.
    func names(
        of kind: ResourceKind, beginningWith prefix: String, after id: String?, limit: Int
    ) -> [ResourceName] {
        index.ids(of: kind, beginningWith: prefix, after: id, limit: limit).map { ResourceName(kind, $0) }
    }
}
