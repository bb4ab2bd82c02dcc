// The first of many in order, without ordering the rest: what a page of a long list takes.

/// Keeps the least elements of all that it is offered.
struct LeastElements<Element: Comparable> {
    private let limit: Int
    private var kept: [Element] = []
    /// The greatest that still may count, once there are enough.
    private var bound: Element?

    /// - Parameter limit: How many are kept; at least one.
    init(_ limit: Int) {
        self.limit = max(1, limit)
    }

    /// Whether an element would be among the least of those offered so far.
    func takes(_ element: Element) -> Bool { bound.map { element < $0 } ?? true }

    /// Amortised, each costs the logarithm of the limit at most.
    mutating func offer(_ element: Element) {
        guard takes(element) else { return }
        kept.append(element)
        if kept.count >= 2 * limit { trim() }
    }

    /// The least, in order.
    mutating func take() -> [Element] {
        trim()
        return kept
    }

    private mutating func trim() {
        kept.sort()
        guard kept.count >= limit else { return }
        kept.removeSubrange(limit...)
        bound = kept.last
    }
}
