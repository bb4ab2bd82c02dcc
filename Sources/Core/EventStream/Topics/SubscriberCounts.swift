// The number of a topic's subscribers by variant. Nearly every topic is watched in one variant, so the first is stored
// inline and only the others allocate.

/// Subscriber counts by variant.
struct SubscriberCounts {
    private var variant = Variant.json
    private var count: Int32 = 0
    /// The owner of the variant's first subscriber, whose share its frames use; kept while there is any.
    private var owner: Int32 = 0
    private var others: [(variant: Variant, count: Int32, owner: Int32)] = []
    private(set) var total: Int32 = 0

    /// - Returns: Whether this is the first subscriber in the variant.
    mutating func add(_ new: Variant, of newOwner: Int32) -> Bool {
        total += 1
        if count > 0, variant == new {
            count += 1
            return false
        }
        if let place = others.firstIndex(where: { $0.variant == new }) {
            others[place].count += 1
            return false
        }
        if count == 0 {
            variant = new
            count = 1
            owner = newOwner
        } else {
            others.append((new, 1, newOwner))
        }
        return true
    }

    /// The owner of the only variant; nil if there are several.
    var soleOwner: Int32? { others.isEmpty ? owner : nil }

    /// Returns the owner of a variant's first subscriber; 0 if it has none.
    func owner(of known: Variant) -> Int32 {
        if count > 0, variant == known { return owner }
        return others.first { $0.variant == known }?.owner ?? 0
    }

    /// Finds the owners of variants that are not plain, each once.
    func findOwners(_ owners: inout [Int32]) {
        owners.removeAll(keepingCapacity: true)
        if count > 0, !variant.isPlain { owners.append(owner) }
        for other in others where !other.variant.isPlain && !owners.contains(other.owner) {
            owners.append(other.owner)
        }
    }

    /// - Returns: Whether this was the last subscriber in the variant.
    mutating func remove(_ old: Variant) -> Bool {
        if count > 0, variant == old {
            total -= 1
            count -= 1
            return count == 0
        }
        guard let place = others.firstIndex(where: { $0.variant == old }) else { return false }
        total -= 1
        others[place].count -= 1
        guard others[place].count == 0 else { return false }
        others.remove(at: place)
        return true
    }
}
