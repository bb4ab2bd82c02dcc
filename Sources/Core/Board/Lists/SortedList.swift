// Elements in order, in chunks: a board of a million names finds a page of them without looking at the rest.

/// Different elements in ascending order. A change or a look costs the logarithm of their number, and the move of a chunk.
struct SortedList<Element: Comparable & Sendable>: Sendable {
    /// The most elements of a chunk: what an insertion moves.
    static var chunkCapacity: Int { 512 }

    /// None is empty; all of one come before all of the next.
    private var chunks: [[Element]] = []
    private(set) var count = 0

    /// Takes an element in that isn't in the list yet.
    mutating func insert(_ element: Element) {
        count += 1
        guard let greatest = chunks.last?.last else {
            chunks.append([element])
            return
        }
        // What comes in order, as from a store, leaves full chunks behind.
        if greatest < element {
            if chunks[chunks.count - 1].count < Self.chunkCapacity {
                chunks[chunks.count - 1].append(element)
            } else {
                chunks.append([element])
            }
            return
        }
        let index = chunk(for: element)
        chunks[index].insert(element, at: place(of: element, in: chunks[index]))
        guard chunks[index].count > Self.chunkCapacity else { return }
        let half = chunks[index].count / 2
        chunks.insert(Array(chunks[index].suffix(half)), at: index + 1)
        chunks[index].removeLast(half)
    }

    /// Takes an element out; does nothing where it isn't in the list.
    mutating func remove(_ element: Element) {
        guard !chunks.isEmpty else { return }
        let index = chunk(for: element)
        let place = place(of: element, in: chunks[index])
        guard place < chunks[index].count, chunks[index][place] == element else { return }
        count -= 1
        chunks[index].remove(at: place)
        if chunks[index].isEmpty {
            chunks.remove(at: index)
        } else if index + 1 < chunks.count, chunks[index].count + chunks[index + 1].count <= Self.chunkCapacity / 2 {
            chunks[index] += chunks[index + 1]
            chunks.remove(at: index + 1)
        }
    }

    /// The first elements, in order.
    /// - Parameters:
    ///   - limit: The most of them.
    ///   - bound: They come behind it, or with it; nil begins with the least.
    ///   - isIncluded: Whether the bound itself is one of them.
    ///   - isWanted: The first element that isn't ends them.
    func elements(
        _ limit: Int, from bound: Element? = nil, isIncluded: Bool = false,
        while isWanted: (Element) -> Bool = { _ in true }
    ) -> [Element] {
        var found: [Element] = []
        guard limit > 0, !chunks.isEmpty else { return found }
        var index = bound.map { chunk(for: $0) } ?? 0
        var place = bound.map { self.place(of: $0, in: chunks[index]) } ?? 0
        if let bound, !isIncluded, place < chunks[index].count, chunks[index][place] == bound { place += 1 }
        while index < chunks.count {
            for element in chunks[index].dropFirst(place) {
                guard isWanted(element) else { return found }
                found.append(element)
                if found.count == limit { return found }
            }
            index += 1
            place = 0
        }
        return found
    }

    /// The last chunk that begins at or before an element, or the first of all.
    private func chunk(for element: Element) -> Int {
        var (low, high) = (0, chunks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if chunks[middle][0] <= element { low = middle } else { high = middle }
        }
        return low
    }

    /// Where in a chunk an element stands, or would stand.
    private func place(of element: Element, in chunk: [Element]) -> Int {
        var (low, high) = (0, chunk.count)
        while low < high {
            let middle = (low + high) / 2
            if chunk[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
