// The topics of a stream and their variants. Nearly every stream has one variant; with several, different topics have
// different variants, or one topic has several.

/// Topics that a stream receives in one variant.
package struct StreamPart: Hashable, Sendable {
    package var selection: TopicSelection
    package var variant: Variant

    package init(_ selection: TopicSelection, _ variant: Variant) {
        self.selection = selection
        self.variant = variant
    }
}

/// The parts of a stream, one for each variant.
package struct StreamParts: Hashable, Sendable {
    /// The topics of all parts.
    package let selection: TopicSelection
    /// The variant of the first part.
    package let variant: Variant
    /// All parts if there are several: a stream with one variant needs no array.
    private let several: [StreamPart]

    /// The maximum number of parts.
    package static let maximumCount = 8

    /// Creates one part.
    package init(_ selection: TopicSelection, _ variant: Variant) {
        self.selection = selection
        self.variant = variant
        several = []
    }

    /// Merges parts of the same variant, and drops parts without topics.
    package init(_ parts: some Sequence<StreamPart>) {
        var joined: [StreamPart] = []
        for part in parts where !part.selection.isEmpty {
            if let known = joined.firstIndex(where: { $0.variant == part.variant }) {
                joined[known].selection = TopicSelection(joined[known].selection.patterns + part.selection.patterns)
            } else {
                joined.append(part)
            }
        }
        selection = joined.count == 1 ? joined[0].selection : TopicSelection(joined.flatMap(\.selection.patterns))
        variant = joined.first?.variant ?? .json
        several = joined.count > 1 ? joined : []
    }

    package var isEmpty: Bool { selection.isEmpty }
    /// Whether there are several variants.
    package var hasSeveral: Bool { !several.isEmpty }
    /// The parts, at least one.
    package var list: [StreamPart] { several.isEmpty ? [StreamPart(selection, variant)] : several }
    /// Whether any part is plain text instead of JSON.
    package var hasTexts: Bool { list.contains(where: \.variant.isText) }
    /// Whether all parts are plain text.
    package var areTexts: Bool { list.allSatisfy(\.variant.isText) }
    /// The number of names and prefixes in all parts.
    package var patternCount: Int {
        several.isEmpty ? selection.patterns.count : several.reduce(0) { $0 + $1.selection.patterns.count }
    }

    /// The same topics as plain text.
    package var asTexts: StreamParts {
        StreamParts(
            list.map { StreamPart($0.selection, Variant(text: true, stamp: false).inLocale($0.variant.locale)) })
    }

    /// Returns the same parts in a locale.
    package func inLocale(_ number: UInt8) -> StreamParts {
        several.isEmpty
            ? StreamParts(selection, variant.inLocale(number))
            : StreamParts(several.map { StreamPart($0.selection, $0.variant.inLocale(number)) })
    }

    /// Returns the topics that these parts add: those that the others lack, or have only in other variants.
    package func additions(to others: StreamParts) -> TopicSelection {
        TopicSelection(
            list.flatMap { part in
                let known = others.list.first { $0.variant == part.variant }?.selection
                return part.selection.patterns.filter { !(known?.covers($0) ?? false) }
            })
    }

    // MARK: - One topic

    /// Calls `body` with each variant in which the stream receives a topic, which must be in some part.
    func forEachVariant(of name: TopicName, _ body: (Variant) -> Void) {
        // It has no frames, and each event is received once.
        if name.hasEventsAlone { return body(eventVariant) }
        if several.isEmpty { return body(variant) }
        for part in several where part.selection.matches(name) { body(part.variant) }
    }

    /// Whether the stream receives a topic in a variant.
    func receives(_ name: TopicName, in asked: Variant) -> Bool {
        if name.hasEventsAlone { return asked == eventVariant && selection.matches(name) }
        if several.isEmpty { return asked == variant && selection.matches(name) }
        return several.contains { $0.variant == asked && $0.selection.matches(name) }
    }

    /// The variant of topics without frames. All parts have the same locale.
    private var eventVariant: Variant { Variant.json.inLocale(variant.locale) }
}

/// A topic in one variant.
struct TopicForm: Hashable, Sendable {
    // One integer: sets of these are large and searched often.
    private let bits: Int64

    init(_ topic: Int32, _ variant: Variant) { bits = Int64(topic) << 16 | Int64(variant.rawValue) }

    var topic: Int32 { Int32(truncatingIfNeeded: bits >> 16) }
    var variant: Variant { Variant(rawValue: UInt16(truncatingIfNeeded: bits)) }
}

extension TopicName {
    /// Whether no resource can have this topic, so that it has no state and no frames.
    fileprivate var hasEventsAlone: Bool { id == Self.everyID || kind == .notification }
    /// Whether it may have a state for a snapshot.
    var mayHaveState: Bool { !hasEventsAlone }
}
