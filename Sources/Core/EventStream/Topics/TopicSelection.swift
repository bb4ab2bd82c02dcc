// What a stream listens to, as one value: patterns without doubles and without those that another one covers, in an
// order in which a name finds the one that fits it. Made where requests are read, not on the tick thread.

/// A set of patterns; whether a name fits takes a search by halves, however many there are.
package struct TopicSelection: Hashable, Sendable {
    /// By kind, then text. At most one of them fits a name.
    package let patterns: [TopicPattern]
    /// The kinds that are named.
    package let kinds: TopicKinds

    package init(_ patterns: some Sequence<TopicPattern>) {
        var folded: [TopicPattern] = []
        // A prefix stands before all that begin with it, so the last one kept is the one that may cover the next.
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

    /// Every topic of a kind.
    package static func every(_ kind: TopicKind) -> TopicSelection {
        TopicSelection([TopicPattern(kind: kind, prefix: "")])
    }

    /// Whether whatever fits a pattern is among these.
    package func covers(_ pattern: TopicPattern) -> Bool { nearest(pattern)?.covers(pattern) ?? false }

    /// Whether whatever another selection names is among these.
    package func covers(_ other: TopicSelection) -> Bool { other.patterns.allSatisfy(covers) }

    /// What both name.
    package func intersection(_ other: TopicSelection) -> TopicSelection {
        // Of two patterns that share a topic one covers the other.
        TopicSelection(patterns.filter(other.covers) + other.patterns.filter(covers))
    }

    /// Whether a topic is among what was asked for: also that of what concerns all of a kind, if one of the kind was.
    package func matches(_ name: TopicName) -> Bool {
        if name.id == TopicName.everyID { return kinds.contains(name.kind) }
        return nearest(TopicPattern(name))?.matches(name) ?? false
    }

    /// The one pattern that may cover another: the last one that doesn't stand behind it. What stands between a prefix and
    /// a name that begins with it begins with it too, and so was folded away.
    private func nearest(_ position: TopicPattern) -> TopicPattern? {
        var low = 0
        var high = patterns.count
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(position, patterns[middle]) { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? patterns[low - 1] : nil
    }

    /// Among equal texts the prefix, which covers the other, comes first.
    private static func precedes(_ one: TopicPattern, _ other: TopicPattern) -> Bool {
        if one.kind != other.kind { return one.kind.rawValue < other.kind.rawValue }
        if one.text != other.text { return one.text < other.text }
        return one.isPrefix && !other.isPrefix
    }
}

extension TopicPattern {
    /// Whether whatever fits another pattern fits this one.
    fileprivate func covers(_ other: TopicPattern) -> Bool {
        kind == other.kind && (isPrefix ? other.text.hasPrefix(text) : self == other)
    }
}
