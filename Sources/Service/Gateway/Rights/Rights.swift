// What somebody may do, folded from the patterns of a grant.

package import EventStream
package import Wire

/// What may be published, listened to and governed.
package struct Rights: Hashable, Sendable {
    /// What may be changed, and set off by actions.
    package var publish: TopicSelection
    /// What may be looked at and listened to.
    package var subscribe: TopicSelection
    /// Whether everything may be, and the server itself be looked into: clients, metrics, webhooks that failed.
    package var isAdmin: Bool

    /// Everything.
    package static let all = Rights(publish: .everything, subscribe: .everything, isAdmin: true)
    /// What may be read; nil for everything.
    package var readable: TopicSelection? { subscribe == .everything ? nil : subscribe }

    /// Nothing.
    package static let none = Rights(publish: TopicSelection([]), subscribe: TopicSelection([]), isAdmin: false)

    package init(publish: TopicSelection, subscribe: TopicSelection, isAdmin: Bool = false) {
        self.publish = isAdmin ? .everything : publish
        self.subscribe = isAdmin ? .everything : subscribe
        self.isAdmin = isAdmin
    }

    /// - Throws: A problem that names the pattern at fault.
    package init(_ grant: Grant) throws(Problem) {
        self.init(
            publish: try Self.selection(grant.publish), subscribe: try Self.selection(grant.subscribe),
            isAdmin: grant.isAdmin)
    }

    private static func selection(_ topics: [Grant.Topic]) throws(Problem) -> TopicSelection {
        var patterns: [TopicPattern] = []
        for topic in topics {
            guard let named = self.patterns(topic.text) else {
                throw .field(topic.pointer, "must be such as ticker=shop-*, notification=alerts, or * for everything")
            }
            patterns += named
        }
        return TopicSelection(patterns)
    }

    /// The patterns of one text: `ticker=shop-*` as a query names it, or `*` for all kinds.
    /// - Returns: nil for what names none.
    package static func patterns(_ text: String) -> [TopicPattern]? {
        if text == "*" { return TopicSelection.everything.patterns }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = TopicKind.allCases.first(where: { "\($0)" == parts[0] }),
            let pattern = TopicPattern(kind: kind, parsing: String(parts[1]))
        else { return nil }
        return [pattern]
    }
}

extension TopicSelection {
    /// The patterns as a grant has them.
    var texts: [String] { patterns.map { "\($0.kind)=\($0.text)\($0.isPrefix ? "*" : "")" } }
}
