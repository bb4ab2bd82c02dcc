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
/// zero, so that `-0` never shows; a plan may have it otherwise (``NumberPlan/marksNegativeZero``).
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

extension Affixes {
    /// Whether there is nothing but perhaps a sign of the number: no currency, no percent sign, no unit.
    var isBare: Bool {
        let text = String(decoding: prefix + suffix, as: UTF8.self)
        return !text.unicodeScalars.contains {
            $0.properties.isAlphabetic || $0.properties.generalCategory == .currencySymbol || NumberSigns.isPercent($0)
        }
    }

    /// The same with other text in place of some that is in it, not empty.
    func replacing(_ old: [UInt8], with new: [UInt8]) -> Affixes {
        func replaced(_ text: [UInt8]) -> [UInt8]? {
            let start = text.indices.first { text.dropFirst($0).starts(with: old) }
            return start.map { text.prefix($0) + new + text.dropFirst($0 + old.count) }
        }
        if let prefix = replaced(prefix) { return Affixes(prefix: prefix, suffix: suffix) }
        return Affixes(prefix: prefix, suffix: replaced(suffix) ?? suffix)
    }
}

extension SignedAffixes {
    /// The minus that negative numbers have; nil where they have another mark, or none.
    var minus: [UInt8]? {
        let text = String(decoding: negative.prefix + negative.suffix, as: UTF8.self)
        return text.unicodeScalars.first(where: NumberSigns.isMinus).map { Array(String($0).utf8) }
    }

    /// Each of the three changed in the same way.
    func mapped(_ change: (Affixes) -> Affixes) -> SignedAffixes {
        SignedAffixes(positive: change(positive), negative: change(negative), zero: change(zero))
    }
}
