// The text around the digits of a formatted number: signs, currency, unit, percent sign, bidi marks.

/// The text around the digits for one sign.
public struct Affixes: Hashable, Sendable {
    /// UTF-8 before the digits.
    public var prefix: [UInt8]
    /// UTF-8 after the digits.
    public var suffix: [UInt8]

    /// No text on either side.
    public static let empty = Affixes(prefix: [], suffix: [])

    /// Creates affixes from valid UTF-8.
    public init(prefix: [UInt8], suffix: [UInt8] = []) {
        self.prefix = prefix
        self.suffix = suffix
    }

    func escapedForJSON() -> Affixes {
        Affixes(prefix: JSONText.escaped(prefix), suffix: JSONText.escaped(suffix))
    }
}

/// The text around the digits for every sign. The sign is that of the *rounded* number: what rounds to zero is zero, so `-0`
/// isn't shown unless the plan says so (``NumberPlan/marksNegativeZero``).
public struct SignedAffixes: Hashable, Sendable {
    /// For positive numbers.
    public var positive: Affixes
    /// For negative numbers.
    public var negative: Affixes
    /// For numbers that round to zero.
    public var zero: Affixes

    /// Nothing for positive numbers, `-` for negative ones.
    public static let plain = SignedAffixes(positive: .empty, negative: Affixes(prefix: [ASCII.minus]), zero: .empty)

    /// Creates the text for each sign.
    ///
    /// - Parameters:
    ///   - positive: for positive numbers.
    ///   - negative: for negative numbers.
    ///   - zero: for numbers that round to zero; by default as `positive`.
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
    /// Whether there is at most a number's sign: no currency, percent sign or unit.
    var isBare: Bool {
        let text = String(decoding: prefix + suffix, as: UTF8.self)
        return !text.unicodeScalars.contains {
            $0.properties.isAlphabetic || $0.properties.generalCategory == .currencySymbol || NumberSigns.isPercent($0)
        }
    }

    /// Returns affixes with a text, which is not empty, replaced by another.
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
    /// The minus of negative numbers; nil if they have another mark, or none.
    var minus: [UInt8]? {
        let text = String(decoding: negative.prefix + negative.suffix, as: UTF8.self)
        return text.unicodeScalars.first(where: NumberSigns.isMinus).map { Array(String($0).utf8) }
    }

    /// Returns all three, changed in the same way.
    func mapped(_ change: (Affixes) -> Affixes) -> SignedAffixes {
        SignedAffixes(positive: change(positive), negative: change(negative), zero: change(zero))
    }
}
