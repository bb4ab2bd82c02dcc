// Sorted elements in chunks, so that a board of a million names finds a page of them without scanning the rest.

/// Unique elements in ascending order. A lookup takes logarithmic time; a change also moves up to a chunk.
struct SortedList<Element: Comparable & Sendable>: Sendable {
    /// The maximum number of elements of a chunk, which an insertion may move.
    static var chunkCapacity: Int { 512 }

    /// The chunks in ascending order; none is empty.
    private var chunks: [[Element]] = []
    private(set) var count = 0

    /// Inserts an element that isn't in the list yet.
    mutating func insert(_ element: Element) {
        count += 1
        guard let greatest = chunks.last?.last else {
            chunks.append([element])
            return
        }
        // Elements that arrive in order, as from a store, leave full chunks behind.
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

    /// Removes an element; does nothing if it isn't in the list.
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

    /// Returns the first elements, in order.
    /// - Parameters:
    ///   - limit: The maximum number of elements.
    ///   - bound: Only elements from here on are returned; nil begins with the least.
    ///   - isIncluded: Whether the bound itself may be returned.
    ///   - isWanted: The first element for which this is false ends the result.
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

    /// Returns the last chunk that begins at or before an element, or else the first chunk.
    private func chunk(for element: Element) -> Int {
        var (low, high) = (0, chunks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if chunks[middle][0] <= element { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the index at which an element is in a chunk, or would be inserted.
    private func place(of element: Element, in chunk: [Element]) -> Int {
        var (low, high) = (0, chunk.count)
        while low < high {
            let middle = (low + high) / 2
            if chunk[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
