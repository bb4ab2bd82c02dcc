// The topics of a stream as one value: patterns without duplicates and without those that another covers, sorted for binary
// search. Created where requests are read, not on the tick thread.

/// A set of patterns; matching a name is a binary search.
package struct TopicSelection: Hashable, Sendable {
    /// Sorted by kind, then text. At most one of them matches a name.
    package let patterns: [TopicPattern]
    /// The kinds of the patterns.
    package let kinds: TopicKinds

    /// Selects the topics of one pattern, as most streams do.
    package init(_ pattern: TopicPattern) {
        patterns = [pattern]
        kinds = TopicKinds(CollectionOfOne(pattern.kind))
    }

    package init(_ patterns: some Sequence<TopicPattern>) {
        var folded: [TopicPattern] = []
        // A prefix sorts before all that begin with it, so only the last one kept can cover the next.
        for pattern in patterns.sorted(by: Self.precedes) {
            if let last = folded.last, last.covers(pattern) { continue }
            folded.append(pattern)
        }
        self.patterns = folded
        kinds = TopicKinds(folded.map(\.kind))
    }

    package var isEmpty: Bool { patterns.isEmpty }

    /// Every topic of every kind.
    package static let everything = TopicSelection(TopicKind.allCases.map { TopicPattern(kind: $0, prefix: "") })

    /// Returns a selection of every topic of a kind.
    package static func every(_ kind: TopicKind) -> TopicSelection {
        TopicSelection([TopicPattern(kind: kind, prefix: "")])
    }

    /// Whether this selection includes all topics of a pattern.
    package func covers(_ pattern: TopicPattern) -> Bool { nearest(pattern)?.covers(pattern) ?? false }

    /// Whether this selection includes all topics of another.
    package func covers(_ other: TopicSelection) -> Bool { other.patterns.allSatisfy(covers) }

    /// Returns the topics that are in both.
    package func intersection(_ other: TopicSelection) -> TopicSelection {
        // If two patterns share a topic, one covers the other.
        TopicSelection(patterns.filter(other.covers) + other.patterns.filter(covers))
    }

    /// Whether a topic is selected. The common topic of a kind is selected if any pattern is of that kind.
    package func matches(_ name: TopicName) -> Bool {
        if name.id == TopicName.everyID { return kinds.contains(name.kind) }
        return nearest(TopicPattern(name))?.matches(name) ?? false
    }

    /// Returns the only pattern that may cover another: the last one that does not sort after it. A pattern between a prefix
    /// and a name with that prefix has the prefix, too, so it was removed.
    private func nearest(_ position: TopicPattern) -> TopicPattern? {
        var low = 0
        var high = patterns.count
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(position, patterns[middle]) { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? patterns[low - 1] : nil
    }

    /// For equal texts the prefix comes first, because it covers the other.
    private static func precedes(_ one: TopicPattern, _ other: TopicPattern) -> Bool {
        if one.kind != other.kind { return one.kind.rawValue < other.kind.rawValue }
        if one.text != other.text { return one.text < other.text }
        return one.isPrefix && !other.isPrefix
    }
}

extension TopicPattern {
    /// Whether this pattern includes all topics of another.
    fileprivate func covers(_ other: TopicPattern) -> Bool {
        kind == other.kind && (isPrefix ? other.text.hasPrefix(text) : self == other)
    }
}
