// Topics, the patterns that select them, and the variants of a topic's frames.

package import Base

/// The kinds of topics: those of resources, and notifications.
package enum TopicKind: Hashable, Sendable, CaseIterable, RawRepresentable, CustomStringConvertible {
    case resource(ResourceKind)
    case notification

    package static let allCases = ResourceKind.allCases.map(TopicKind.resource) + [.notification]

    package static var ticker: Self { .resource(.ticker) }
    package static var progress: Self { .resource(.progress) }
    package static var schedule: Self { .resource(.schedule) }

    /// The resource's kind; nil for notifications.
    package var resource: ResourceKind? {
        if case .resource(let kind) = self { kind } else { nil }
    }

    /// The raw value is in stored logs.
    package var rawValue: UInt8 { resource?.rawValue ?? Self.notificationNumber }

    package init?(rawValue: UInt8) {
        if let kind = ResourceKind(rawValue: rawValue) {
            self = .resource(kind)
        } else if rawValue == Self.notificationNumber {
            self = .notification
        } else {
            return nil
        }
    }

    private static let notificationNumber: UInt8 = 3

    /// The name in the API.
    package var description: String { resource?.description ?? "notification" }
}

/// A set of kinds, iterated without allocating: each stream has one.
package struct TopicKinds: Hashable, Sendable, Sequence, IteratorProtocol {
    private var bits: UInt8 = 0

    package init(_ kinds: some Sequence<TopicKind>) {
        for kind in kinds { bits |= 1 << kind.rawValue }
    }

    package mutating func next() -> TopicKind? {
        guard bits != 0 else { return nil }
        let lowest = UInt8(truncatingIfNeeded: bits.trailingZeroBitCount)
        bits &= bits - 1
        return TopicKind(rawValue: lowest)
    }
}

/// A topic by name.
package struct TopicName: Hashable, Sendable {
    package let kind: TopicKind
    package let id: String

    package init(kind: TopicKind, id: String) {
        self.kind = kind
        self.id = id
    }

    /// Returns the common topic for events about all resources of a kind; no resource can have its id.
    package static func all(_ kind: TopicKind) -> TopicName { TopicName(kind: kind, id: everyID) }
    static let everyID = "*"
}

/// One topic, or all topics whose ids begin with a prefix.
package struct TopicPattern: Hashable, Sendable {
    // The text comes first: this order has no padding, and there may be a million patterns.
    /// The id or the prefix.
    package let text: String
    package let kind: TopicKind
    package let isPrefix: Bool

    /// - Parameter text: An id, or a prefix and `*`. Fails if no topic can match.
    package init?(kind: TopicKind, parsing text: String) {
        let isPrefix = text.hasSuffix("*")
        let stem = isPrefix ? String(text.dropLast()) : text
        guard stem.utf8.count <= ResourceID.maximumLength, !stem.isEmpty || isPrefix,
            stem.utf8.allSatisfy(ResourceID.allows)
        else { return nil }
        self.kind = kind
        self.text = stem
        self.isPrefix = isPrefix
    }

    /// Creates a pattern for all topics of a kind with a prefix.
    init(kind: TopicKind, prefix: String) {
        self.kind = kind
        text = prefix
        isPrefix = true
    }

    /// Creates a pattern for one topic, which may be the common one of a kind.
    init(_ name: TopicName) {
        kind = name.kind
        text = name.id
        isPrefix = false
    }

    package func matches(_ name: TopicName) -> Bool {
        kind == name.kind && (isPrefix ? name.id.hasPrefix(text) && name.id != TopicName.everyID : name.id == text)
    }
}

/// A topic by number: dense, and reused when the topic is removed.
@usableFromInline
package struct TopicIndex: Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// The variant of a topic's frames that a stream asked for, including the locale.
@usableFromInline
package struct Variant: Hashable, Sendable {
    /// How a label's digit wheels move.
    package enum Wheels: UInt8, Hashable, Sendable, CaseIterable {
        /// They follow the value: one at a time, as in an odometer, or all at once.
        case odometer = 1, continuous
        /// Each moves directly to its next digit, whatever lies between the numbers.
        case up, down, shortest, strip
    }

    /// The descriptor strings in a resource's frames. Shares bits with the flag for plain text.
    package enum Display: UInt8, Hashable, Sendable, CaseIterable {
        case none = 0
        /// All of them.
        case strings = 8
        /// All of them, and the parts of a ticker's text with their kinds.
        case parts = 9
    }

    package static let json = Variant(text: false, stamp: false)

    /// The form, and in the high byte the locale.
    @usableFromInline package let rawValue: UInt16

    /// - Parameters:
    ///   - text: Whether frames are the label alone; `wheels` and `display` are then ignored.
    ///   - stamp: Whether frames have the tick's instant and number.
    ///   - motion: Whether the stream receives an event for each update instead of frames; all others are then ignored.
    ///   - display: The strings of the resource's descriptor, optionally with parts.
    package init(
        text: Bool, stamp: Bool, motion: Bool = false, wheels: Wheels? = nil, display: Display = .none
    ) {
        let form: UInt16 = text ? 1 : UInt16(display.rawValue) | UInt16(wheels?.rawValue ?? 0) << 4
        rawValue = motion ? 4 : form | (stamp ? 2 : 0)
    }

    @inlinable
    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Creates the variant of named events in a locale, for all forms.
    init(locale: UInt8) {
        rawValue = UInt16(locale) << 8
    }

    /// Returns the same form in a locale.
    package func inLocale(_ number: UInt8) -> Variant { Variant(rawValue: rawValue & 0xFF | UInt16(number) << 8) }

    /// The number of the reader's locale; 0: as it was posted.
    package var locale: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }

    package var isText: Bool { rawValue & 9 == 1 }
    @inlinable
    package var isStamped: Bool { rawValue & 2 != 0 }
    @inlinable
    package var isMotion: Bool { rawValue & 4 != 0 }
    package var hasDisplay: Bool { rawValue & 8 != 0 }
    package var hasParts: Bool { rawValue & 9 == 9 }
    /// Whether frames are JSON with value and text alone, as they were posted, or there are motions instead of frames. Text
    /// without JSON isn't plain.
    package var isPlain: Bool { rawValue & ~2 == 0 || rawValue & ~2 == 4 }
    package var wheels: Wheels? { Wheels(rawValue: UInt8(truncatingIfNeeded: rawValue & 0xF0) >> 4) }
}

/// A set of the variants in which a topic is watched without a reader's locale, iterated without allocating. Also tells whether it is
/// watched in locales of readers; the hub knows which. What every frame needs is inlined.
@usableFromInline
package struct VariantSet: Hashable, Sendable, Sequence, IteratorProtocol {
    @usableFromInline var bits: UInt128 = 0

    package init() {}

    private init(bits: UInt128) { self.bits = bits }

    @inlinable
    package var isEmpty: Bool { bits == 0 }
    /// Whether all variants are plain: JSON with value and text alone, stamped or not, or motions.
    @inlinable
    package var isPlain: Bool { bits & ~Self.plain == 0 }
    /// The plain variants.
    package var plain: VariantSet { VariantSet(bits: bits & Self.plain) }
    /// The others: JSON with more members, and text without JSON.
    package var extended: VariantSet { VariantSet(bits: bits & ~Self.plain) }
    /// Whether the topic is watched in locales of readers.
    package var hasLocales: Bool {
        get { bits & Self.locales != 0 }
        set { bits = newValue ? bits | Self.locales : bits & ~Self.locales }
    }
    @usableFromInline static let plain: UInt128 = 1 << 0 | 1 << 2 | 1 << 4
    /// No variant has this number.
    @usableFromInline static let locales: UInt128 = 1 << 127
    /// Adds a variant; of one in a reader's locale only that there is one.
    package mutating func insert(_ variant: Variant) {
        bits |= variant.locale > 0 ? Self.locales : 1 << UInt128(variant.rawValue)
    }
    package mutating func remove(_ variant: Variant) { bits &= ~(1 << UInt128(variant.rawValue)) }

    @inlinable
    package mutating func next() -> Variant? {
        let forms = bits & ~Self.locales
        guard forms != 0 else { return nil }
        bits = forms & (forms - 1)
        return Variant(rawValue: UInt16(truncatingIfNeeded: forms.trailingZeroBitCount))
    }
}

/// The variants of a topic's frames: those without a reader's locale, then those in locales.
package struct WatchedVariants: Sequence, IteratorProtocol {
    private var posted: VariantSet
    private var localised: ArraySlice<Variant>

    init(_ posted: VariantSet, _ localised: [Variant]) {
        (self.posted, self.localised) = (posted, localised[...])
    }

    package mutating func next() -> Variant? { posted.next() ?? localised.popFirst() }
}
