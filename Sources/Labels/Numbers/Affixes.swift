// What stands before and after the digits of a formatted number: signs, currency, unit, percent sign, bidi marks.

/// The text around the digits for one sign.
public struct Affixes: Hashable, Sendable {
    /// UTF-8 before the digits.
    public var prefix: [UInt8]
    /// UTF-8 after the digits.
    public var suffix: [UInt8]

    /// Nothing on either side.
    public static let empty = Affixes(prefix: [], suffix: [])

    /// The texts before and after the digits, valid UTF-8.
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
    /// Around numbers over zero.
    public var positive: Affixes
    /// Around numbers under zero.
    public var negative: Affixes
    /// Around what rounds to zero.
    public var zero: Affixes

    /// Nothing for positive numbers, `-` for negative ones.
    public static let plain = SignedAffixes(positive: .empty, negative: Affixes(prefix: [ASCII.minus]), zero: .empty)

    /// The texts for each sign.
    ///
    /// - Parameters:
    ///   - positive: around numbers over zero.
    ///   - negative: around numbers under zero.
    ///   - zero: around what rounds to zero; those of `positive` unless given.
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
