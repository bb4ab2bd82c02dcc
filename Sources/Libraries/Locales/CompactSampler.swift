// Builds the table of compact notation: short forms from FormatStyle's samples, long ones from the word patterns.

import Labels

struct CompactSampler {
    let sampler: FormatSampler
    let rule: PluralRule
    let digits: DigitSet
    /// The signs around a plain number of the locale.
    let affixes: SignedAffixes

    /// CLDR has no further forms beyond 10^14.
    private static let magnitudes = 0...14

    func table(_ width: NumberFormat.Width, isSignificant: Bool) -> CompactTable? {
        CompactTable(
            forms: Self.magnitudes.map { width == .long ? longForm($0) : shortForm($0) }, isSignificant: isSignificant)
    }

    private func longForm(_ magnitude: Int) -> CompactTable.Form {
        guard let (shift, words) = WordPatterns.compact(magnitude, locale: sampler.format.locale) else {
            // Below a thousand there are no words; languages without data fall back on their short forms.
            return shortForm(magnitude)
        }
        return CompactTable.Form(shift: shift, affixes: words.affixes(with: affixes, signsOutside: true, rule: rule))
    }

    private func shortForm(_ magnitude: Int) -> CompactTable.Form {
        let plain = CompactTable.Form(shift: 0, affixes: PluralAffixes(always: affixes))
        guard let sample = SampledNumber(sampler.compactText(power(magnitude), decimals: 0), digits: digits) else {
            return plain
        }
        let count = sample.digits.count
        let shift = magnitude - count + 1
        guard shift > 0 else { return plain }
        let forms = PluralSampler(rule: rule, digits: digits, samples: Self.leading(digits: count)) { value, isSigned in
            sampler.compactText(value * power(shift), decimals: value == value.rounded() ? 0 : 1, isSigned: isSigned)
        }
        return forms.affixes().map { CompactTable.Form(shift: shift, affixes: $0) } ?? plain
    }

    /// Returns samples that may precede the word of a form with this many digits.
    private static func leading(digits count: Int) -> [Double] {
        switch count {
        case 1: [1, 2, 3, 4, 5, 6, 7, 8, 9, 1.1, 1.2, 1.5]
        case 2: [10, 11, 12, 13, 14, 15, 20, 21, 22, 30, 10.5]
        default: [100, 101, 102, 103, 104, 105, 111, 121, 122, 100.5]
        }
    }

    private func power(_ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
