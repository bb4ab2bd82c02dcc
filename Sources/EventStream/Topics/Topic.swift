// What a stream can listen to: topics, the patterns that name them, and the forms a topic's frames come in.

package import Primitives

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

/// The form of a topic's frames that a stream asked for.
@usableFromInline
package struct Variant: Hashable, Sendable {
    /// How the wheels of a label's digits are told, where they are.
    package enum Wheels: UInt8, Hashable, Sendable, CaseIterable {
        /// They follow the value: one at a time, as in an odometer, or all at once.
        case odometer = 1, continuous
        /// Each goes straight to its next digit, whatever lies between the numbers.
        case up, down, shortest, strip
    }

    package static let json = Variant(text: false, stamp: false)

    @usableFromInline package let rawValue: UInt8

    /// - Parameters:
    ///   - text: The label alone; wheels and display have no bearing on it.
    ///   - stamp: With the tick's instant and number.
    ///   - motion: One event an update in place of frames; the others have no bearing on it.
    ///   - display: With the strings of the resource's descriptor.
    package init(
        text: Bool, stamp: Bool, motion: Bool = false, wheels: Wheels? = nil, display: Bool = false
    ) {
        let form: UInt8 = text ? 1 : (display ? 8 : 0) | (wheels?.rawValue ?? 0) << 4
        rawValue = motion ? 4 : form | (stamp ? 2 : 0)
    }

    @inlinable
    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package var isText: Bool { rawValue & 1 != 0 }
    @inlinable
    package var isStamped: Bool { rawValue & 2 != 0 }
    @inlinable
    package var isMotion: Bool { rawValue & 4 != 0 }
    package var hasDisplay: Bool { rawValue & 8 != 0 }
    /// Nothing but value and text, or motions in place of frames.
    package var isPlain: Bool { rawValue & ~2 == 0 || isMotion }
    package var wheels: Wheels? { Wheels(rawValue: rawValue >> 4) }
}

/// A set of variants, iterated without allocating. What every frame asks is inlined where it asks.
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
    @usableFromInline static let plain: UInt128 = 1 << 0 | 1 << 2 | 1 << 4
    package mutating func insert(_ variant: Variant) { bits |= 1 << UInt128(variant.rawValue) }
    package mutating func remove(_ variant: Variant) { bits &= ~(1 << UInt128(variant.rawValue)) }

    @inlinable
    package mutating func next() -> Variant? {
        guard bits != 0 else { return nil }
        let index = bits.trailingZeroBitCount
        bits &= bits - 1
        return Variant(rawValue: UInt8(truncatingIfNeeded: index))
    }
}
