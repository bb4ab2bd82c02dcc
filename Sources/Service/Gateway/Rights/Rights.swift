// A principal's rights, combined from the patterns of a grant.

package import EventStream
package import Labels
package import Wire

/// What a principal may publish, subscribe to and administer.
package struct Rights: Hashable, Sendable {
    /// What may be changed, and started by actions.
    package var publish: TopicSelection
    /// What may be read and subscribed to.
    package var subscribe: TopicSelection
    /// What may only be added to.
    package var add: [AddRight] = []
    /// Whether everything is allowed, including the server's own data: clients, metrics, failed webhooks.
    package var isAdmin: Bool

    /// All rights.
    package static let all = Rights(publish: .everything, subscribe: .everything, isAdmin: true)
    /// What may be read; nil for everything.
    package var readable: TopicSelection? { subscribe == .everything ? nil : subscribe }

    /// No rights.
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
        add = try grant.add.map { addition throws(Problem) in
            AddRight(topics: try Self.numbers(addition.topics), atMost: addition.atMost)
        }
    }

    /// Returns the most that one update may add to a resource; nil if nothing.
    package func mostAdded(to topic: TopicName) -> ExactDecimal? {
        add.filter { $0.topics.matches(topic) }.map(\.atMost).max()
    }

    private static func numbers(_ topics: [Grant.Topic]) throws(Problem) -> TopicSelection {
        let selection = try selection(topics)
        for topic in topics {
            let kinds = (patterns(topic.text) ?? []).map(\.kind)
            guard kinds.allSatisfy({ $0 == .ticker || $0 == .progress }) else {
                throw .field(topic.pointer, "must be tickers or progresses, such as ticker=readers")
            }
        }
        return selection
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

    /// Parses the patterns of one text: `ticker=shop-*` as in a query, or `*` for all kinds.
    /// - Returns: nil if it is no single pattern; no id contains a comma or an equals sign.
    package static func patterns(_ text: String) -> [TopicPattern]? {
        if text == "*" { return TopicSelection.everything.patterns }
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].contains(","),
            let kind = TopicKind.allCases.first(where: { "\($0)" == parts[0] }),
            let pattern = TopicPattern(kind: kind, parsing: String(parts[1]))
        else { return nil }
        return [pattern]
    }
}

extension TopicSelection {
    /// The patterns in the form of a grant.
    var texts: [String] { patterns.map { "\($0.kind)=\($0.text)\($0.isPrefix ? "*" : "")" } }
}
