// What a stream can listen to: topics, the patterns that name them, and the forms a topic's frames come in.

package import Base

/// The kinds of topic: resources, and notifications, which are topics of none.
package enum TopicKind: Hashable, Sendable, CaseIterable, RawRepresentable, CustomStringConvertible {
    case resource(ResourceKind)
    case notification

    package static let allCases = ResourceKind.allCases.map(TopicKind.resource) + [.notification]

    package static var ticker: Self { .resource(.ticker) }
    package static var progress: Self { .resource(.progress) }
    package static var schedule: Self { .resource(.schedule) }

    /// The resource's kind; nil for a topic of none.
    package var resource: ResourceKind? {
        if case .resource(let kind) = self { kind } else { nil }
    }

    /// The number stands in stored logs.
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

    /// As clients write it.
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

    /// The topic of what concerns all of a kind; no resource can have its id.
    package static func all(_ kind: TopicKind) -> TopicName { TopicName(kind: kind, id: everyID) }
    static let everyID = "*"
}

/// One topic, or all whose ids begin alike.
package struct TopicPattern: Hashable, Sendable {
    // The text first: there are up to a million of these, and so none has a gap.
    /// The id, or what it begins with.
    package let text: String
    package let kind: TopicKind
    package let isPrefix: Bool

    /// - Parameter text: An id, or its beginning and `*`. Nil where it could name no topic.
    package init?(kind: TopicKind, parsing text: String) {
        let isPrefix = text.hasSuffix("*")
        let stem = isPrefix ? String(text.dropLast()) : text
        guard stem.utf8.count <= 128, !stem.isEmpty || isPrefix,
            stem.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "*") })
        else { return nil }
        self.kind = kind
        self.text = stem
        self.isPrefix = isPrefix
    }

    /// All topics of a kind that begin so.
    init(kind: TopicKind, prefix: String) {
        self.kind = kind
        text = prefix
        isPrefix = true
    }

    /// One topic alone, also that of what concerns all of a kind.
    init(_ name: TopicName) {
        kind = name.kind
        text = name.id
        isPrefix = false
    }

    package func matches(_ name: TopicName) -> Bool {
        kind == name.kind && (isPrefix ? name.id.hasPrefix(text) && name.id != TopicName.everyID : name.id == text)
    }
}

/// A topic by number: dense, and used again once its topic has gone.
@usableFromInline
package struct TopicIndex: Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// The form of a topic's frames that a stream asked for, and in which locale.
@usableFromInline
package struct Variant: Hashable, Sendable {
    /// How the wheels of a label's digits are told, where they are.
    package enum Wheels: UInt8, Hashable, Sendable, CaseIterable {
        /// They follow the value: one at a time, as in an odometer, or all at once.
        case odometer = 1, continuous
        /// Each goes straight to its next digit, whatever lies between the numbers.
        case up, down, shortest, strip
    }

    /// Which strings of a resource's descriptor frames have. In the bits of those that are a text alone there is room.
    package enum Display: UInt8, Hashable, Sendable, CaseIterable {
        case none = 0
        /// All of them.
        case strings = 8
        /// And the parts of a ticker's text, each with what it stands for.
        case parts = 9
    }

    package static let json = Variant(text: false, stamp: false)

    /// The form, and in the high byte the locale.
    @usableFromInline package let rawValue: UInt16

    /// - Parameters:
    ///   - text: The label alone; wheels and display have no bearing on it.
    ///   - stamp: With the tick's instant and number.
    ///   - motion: One event an update in place of frames; the others have no bearing on it.
    ///   - display: With the strings of the resource's descriptor, perhaps in parts.
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

    /// All forms in a locale: what named events are for.
    init(locale: UInt8) {
        rawValue = UInt16(locale) << 8
    }

    /// The same form in a locale.
    package func inLocale(_ number: UInt8) -> Variant { Variant(rawValue: rawValue & 0xFF | UInt16(number) << 8) }

    /// The number of the locale in which it is read; 0: as it was posted.
    package var locale: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }

    package var isText: Bool { rawValue & 9 == 1 }
    @inlinable
    package var isStamped: Bool { rawValue & 2 != 0 }
    @inlinable
    package var isMotion: Bool { rawValue & 4 != 0 }
    package var hasDisplay: Bool { rawValue & 8 != 0 }
    package var hasParts: Bool { rawValue & 9 == 9 }
    /// Nothing but value and text as they were posted, or motions in place of frames.
    package var isPlain: Bool { rawValue & ~2 == 0 || rawValue & ~2 == 4 }
    package var wheels: Wheels? { Wheels(rawValue: UInt8(truncatingIfNeeded: rawValue & 0xF0) >> 4) }
}

/// A set of the forms in which a topic is watched as it was posted, iterated without allocating, and whether it is watched
/// in locales of readers, too: which those are the hub tells. What every frame asks is inlined where it asks.
@usableFromInline
package struct VariantSet: Hashable, Sendable, Sequence, IteratorProtocol {
    @usableFromInline var bits: UInt128 = 0

    package init() {}

    private init(bits: UInt128) { self.bits = bits }

    @inlinable
    package var isEmpty: Bool { bits == 0 }
    /// Nothing but value and text, stamped or not, and motions in place of frames: no form that takes more than a number.
    @inlinable
    package var isPlain: Bool { bits & ~Self.plain == 0 }
    /// Those that take no more than a number.
    package var plain: VariantSet { VariantSet(bits: bits & Self.plain) }
    /// Those with members beyond value and text.
    package var extended: VariantSet { VariantSet(bits: bits & ~Self.plain) }
    /// It is watched in locales of readers.
    package var hasLocales: Bool {
        get { bits & Self.locales != 0 }
        set { bits = newValue ? bits | Self.locales : bits & ~Self.locales }
    }
    @usableFromInline static let plain: UInt128 = 1 << 0 | 1 << 2 | 1 << 4
    /// No form has the number.
    @usableFromInline static let locales: UInt128 = 1 << 127
    package mutating func insert(_ variant: Variant) { bits |= 1 << UInt128(variant.rawValue) }
    package mutating func remove(_ variant: Variant) { bits &= ~(1 << UInt128(variant.rawValue)) }

    @inlinable
    package mutating func next() -> Variant? {
        let forms = bits & ~Self.locales
        guard forms != 0 else { return nil }
        bits = forms & (forms - 1)
        return Variant(rawValue: UInt16(truncatingIfNeeded: forms.trailingZeroBitCount))
    }
}
