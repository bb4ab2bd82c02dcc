// Finds affixes for every plural category of a language: formats and parses one sample number for each.

import Base
import Labels

struct PluralSampler {
    let rule: PluralRule
    let digits: DigitSet
    var samples = Self.standardSamples
    /// Formats a sample, integers without decimals and others with one; with the format's sign display or without any sign.
    let text: (_ value: Double, _ isSigned: Bool) -> String

    /// Enough to reach every category of every rule with words beside numbers. Zero is last, since it has no sign.
    static let standardSamples: [Double] = [
        100, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 20, 21, 22, 101, 102, 103, 1_000_000, 1.5, 0.1, 2.1, 0,
    ]

    func affixes() -> PluralAffixes? {
        var forms: [PluralCategory: SignedAffixes] = [:]
        for value in samples {
            let category = rule.category(for: Self.operands(of: value))
            guard forms[category] == nil, let positive = sample(value), let negative = sample(-value) else { continue }
            // Whether zero shows a sign: the digits themselves have no words.
            let zero = text(0, true) == text(0, false) ? sample(value, isSigned: false) : positive
            forms[category] = SignedAffixes(positive: positive, negative: negative, zero: zero)
        }
        guard let other = forms[.other] ?? forms[.many] ?? forms.values.first else { return nil }
        return PluralAffixes(rule: rule, other: other, forms)
    }

    private func sample(_ value: Double, isSigned: Bool = true) -> Affixes? {
        // Adding zero turns -0 into 0.
        SampledNumber(text(value + 0, isSigned), digits: digits)?.affixes
    }

    private static func operands(of value: Double) -> PluralOperands {
        let tenths = UInt64(saturating: value * 10 + 0.5)
        let fraction = tenths % 10
        return PluralOperands(i: tenths / 10, v: fraction == 0 ? 0 : 1, t: fraction, f: fraction)
    }
}
