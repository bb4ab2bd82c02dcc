// What stands before and after the digits of a formatted number: signs, currency, unit, percent sign, bidi marks.

/// The text around the digits for one sign.
public struct Affixes: Hashable, Sendable {
    public var prefix: [UInt8]
    public var suffix: [UInt8]

    public static let empty = Affixes(prefix: [], suffix: [])

    public init(prefix: [UInt8], suffix: [UInt8] = []) {
        self.prefix = prefix
        self.suffix = suffix
    }

    func escapedForJSON() -> Affixes {
        Affixes(prefix: JSONText.escaped(prefix), suffix: JSONText.escaped(suffix))
    }
}

/// The text around the digits for every sign. The sign is the one of the *rounded* number: what rounds to zero is
/// zero, so that `-0` never shows.
public struct SignedAffixes: Hashable, Sendable {
    public var positive: Affixes
    public var negative: Affixes
    public var zero: Affixes

    /// Nothing for positive numbers, `-` for negative ones.
    public static let plain = SignedAffixes(positive: .empty, negative: Affixes(prefix: [ASCII.minus]), zero: .empty)

    /// - Parameter zero: those of `positive` unless given.
    public init(positive: Affixes, negative: Affixes, zero: Affixes? = nil) {
        self.positive = positive
        self.negative = negative
        self.zero = zero ?? positive
    }

    func escapedForJSON() -> SignedAffixes {
        SignedAffixes(
            positive: positive.escapedForJSON(), negative: negative.escapedForJSON(), zero: zero.escapedForJSON())
    }
}
