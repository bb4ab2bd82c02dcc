// The samples from which a plan gets its separators, group sizes, default decimals, and the text around positive numbers,
// negative ones and zero.

import Labels

struct SampleSet {
    private let large: SampledNumber
    private let small: SampledNumber
    private let negative: SampledNumber
    private let zero: SampledNumber
    /// The style's default decimals: 0 for yen, 3 for dinars.
    let defaultDecimals: Int

    init?(_ sampler: FormatSampler, digits: DigitSet) {
        func sample(_ value: Double, _ decimals: Int?) -> SampledNumber? {
            SampledNumber(sampler.text(value, decimals: decimals), digits: digits)
        }
        guard let large = sample(9_876_543.25, 2), large.digits.count == 9, let small = sample(1_234, 0),
            let negative = sample(-9_876_543.25, 2), let zero = sample(0, 0), let plain = sample(1, nil)
        else { return nil }
        self.large = large
        self.small = small
        self.negative = negative
        self.zero = zero
        defaultDecimals = plain.digits.count - 1
    }

    func apply(to plan: inout NumberPlan) {
        // The decimal separator precedes the last two of nine digits; all other separators are between groups.
        let point = 6
        plan.decimalSeparator = large.separators[point] ?? plan.decimalSeparator
        plan.affixes = SignedAffixes(
            positive: large.affixes, negative: negative.affixes, zero: zero.affixes)
        let places = large.separators.keys.filter { $0 < point }.sorted(by: >)
        guard let last = places.first, let separator = large.separators[last] else {
            plan.grouping = .none
            return
        }
        plan.groupSeparator = separator
        // Locales that leave 1234 ungrouped group from five digits on.
        plan.grouping = .init(
            primary: point - last, secondary: places.count > 1 ? places[0] - places[1] : nil,
            minimum: small.separators.isEmpty ? 2 : 1)
    }
}
