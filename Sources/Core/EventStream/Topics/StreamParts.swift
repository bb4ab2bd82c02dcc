// What a stream hears, and in which forms. Nearly every stream has one form; one that has several hears some topics in
// one of them and some in another, or one topic in several.

/// Topics that a stream hears in one form.
package struct StreamPart: Hashable, Sendable {
    package var selection: TopicSelection
    package var variant: Variant

    package init(_ selection: TopicSelection, _ variant: Variant) {
        self.selection = selection
        self.variant = variant
    }
}

/// The parts of a stream: no two in one form.
package struct StreamParts: Hashable, Sendable {
    /// What any part names.
    package let selection: TopicSelection
    /// The form of the first part.
    package let variant: Variant
    /// All parts, where there is more than one: a stream with one form has no list of them.
    private let several: [StreamPart]

    /// The most parts that may be asked for.
    package static let maximumCount = 8

    /// One part.
    package init(_ selection: TopicSelection, _ variant: Variant) {
        self.selection = selection
        self.variant = variant
        several = []
    }

    /// Parts of the same form become one, and those without a topic none.
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
    /// Whether there is more than one form.
    package var hasSeveral: Bool { !several.isEmpty }
    /// The parts, one at least.
    package var list: [StreamPart] { several.isEmpty ? [StreamPart(selection, variant)] : several }
    /// Whether any part is of texts alone, which are no JSON.
    package var hasTexts: Bool { list.contains(where: \.variant.isText) }
    /// Names and prefixes of all parts.
    package var patternCount: Int {
        several.isEmpty ? selection.patterns.count : several.reduce(0) { $0 + $1.selection.patterns.count }
    }

    /// The same parts in a locale.
    package func inLocale(_ number: UInt8) -> StreamParts {
        several.isEmpty
            ? StreamParts(selection, variant.inLocale(number))
            : StreamParts(several.map { StreamPart($0.selection, $0.variant.inLocale(number)) })
    }

    /// What these name in a form in which others do not.
    package func news(beside others: StreamParts) -> TopicSelection {
        TopicSelection(
            list.flatMap { part in
                let known = others.list.first { $0.variant == part.variant }?.selection
                return part.selection.patterns.filter { !(known?.covers($0) ?? false) }
            })
    }

    // MARK: - One topic

    /// Calls with each form in which a topic is heard that some part names.
    func forEachForm(of name: TopicName, _ body: (Variant) -> Void) {
        // No frames come of it, and its events once.
        if name.hasEventsAlone { return body(eventForm) }
        if several.isEmpty { return body(variant) }
        for part in several where part.selection.matches(name) { body(part.variant) }
    }

    /// Whether a topic is heard in a form.
    func hears(_ name: TopicName, in form: Variant) -> Bool {
        if name.hasEventsAlone { return form == eventForm && selection.matches(name) }
        if several.isEmpty { return form == variant && selection.matches(name) }
        return several.contains { $0.variant == form && $0.selection.matches(name) }
    }

    /// The form in which topics are heard that have no frames.
    private var eventForm: Variant { Variant.json.inLocale(variant.locale) }
}

/// A topic in a form in which a stream hears it.
struct TopicForm: Hashable, Sendable {
    // One number: sets of these are large, and looked into often.
    private let bits: Int64

    init(_ topic: Int32, _ variant: Variant) { bits = Int64(topic) << 16 | Int64(variant.rawValue) }

    var topic: Int32 { Int32(truncatingIfNeeded: bits >> 16) }
    var variant: Variant { Variant(rawValue: UInt16(truncatingIfNeeded: bits)) }
}

extension TopicName {
    /// Whether no resource stands for it, ever: it has no state, and no frames.
    fileprivate var hasEventsAlone: Bool { id == Self.everyID || kind == .notification }
    /// Whether it may have a state to be told.
    var mayHaveState: Bool { !hasEventsAlone }
}
