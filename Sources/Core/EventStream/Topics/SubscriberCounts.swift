// How many watch a topic, by the form they asked for. Nearly every topic is watched in one form alone, so the first
// has its place here and only the others need memory of their own.

/// Counts of watchers by variant.
struct SubscriberCounts {
    private var variant = Variant.json
    private var count: Int32 = 0
    private var others: [(variant: Variant, count: Int32)] = []
    private(set) var total: Int32 = 0

    /// - Returns: Whether it is the first in this variant.
    mutating func add(_ new: Variant) -> Bool {
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
        } else {
            others.append((new, 1))
        }
        return true
    }

    /// - Returns: Whether it was the last in this variant.
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
