// Who is on a board: names to slots, and names in order.

import Base

/// The names of a board. Tracks' and schedules' slots count separately.
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

    /// How many there are of a kind.
    func count(of kind: ResourceKind) -> Int { index.count(of: kind) }

    /// The first names of a kind that begin alike, by id.
    /// - Parameters:
    ///   - prefix: What their ids begin with; empty takes all.
    ///   - id: They come behind it; it need not be one of them.
    func names(
        of kind: ResourceKind, beginningWith prefix: String, after id: String?, limit: Int
    ) -> [ResourceName] {
        index.ids(of: kind, beginningWith: prefix, after: id, limit: limit).map { ResourceName(kind, $0) }
    }
}
