// Affixes that depend on the number's plural form: `1 day`, `2 days`, `1 million`, `2 millions`.

/// Affixes for each plural category, and the rule that picks one.
public struct PluralAffixes: Hashable, Sendable {
    package let rule: PluralRule
    /// In the order of `PluralCategory.allCases`; one entry if all are equal.
    let forms: [SignedAffixes]
    /// The categories whose words replace the number, as in the Arabic `two days`: a bit for each.
    private let alone: UInt8
    /// Replaces 1 and its words, but not -1: French `mille`. At most one element.
    private let one: [SignedAffixes]

    /// Creates the same affixes for every number.
    public init(always affixes: SignedAffixes) {
        self.init(rule: .none, forms: [affixes], alone: 0, one: [])
    }

    /// Creates affixes by category; missing ones are as `other`.
    ///
    /// - Parameters:
    ///   - rule: picks the category of a number.
    ///   - other: for categories without their own.
    ///   - forms: written beside numbers.
    ///   - alone: written instead of numbers.
    ///   - one: written instead of 1, but not of -1.
    public init(
        rule: PluralRule, other: SignedAffixes, _ forms: [PluralCategory: SignedAffixes],
        alone: [PluralCategory: SignedAffixes] = [:], one: SignedAffixes? = nil
    ) {
        if alone.isEmpty, one == nil, forms.values.allSatisfy({ $0 == other }) {
            self.init(always: other)
            return
        }
        self.init(
            rule: rule, forms: PluralCategory.allCases.map { alone[$0] ?? forms[$0] ?? other },
            alone: alone.keys.reduce(0) { $0 | 1 << UInt8($1.index) }, one: one.map { [$0] } ?? [])
    }

    private init(rule: PluralRule, forms: [SignedAffixes], alone: UInt8, one: [SignedAffixes]) {
        self.rule = rule
        self.forms = forms
        self.alone = alone
        self.one = one
    }

    /// The affixes of the category `other`.
    var other: SignedAffixes { forms[forms.count - 1] }

    /// The affixes that differ from `other`, and those of `other`, by category; `=1` for 1 itself.
    package var byCategory: [(name: String, affixes: SignedAffixes, standsAlone: Bool)] {
        guard forms.count > 1, let other = forms.last else {
            return forms.map { (PluralCategory.other.rawValue, $0, false) }
        }
        let categories = PluralCategory.allCases.filter { $0 == .other || isAlone($0) || forms[$0.index] != other }
        return one.map { ("=1", $0, true) } + categories.map { ($0.rawValue, forms[$0.index], isAlone($0)) }
    }

    /// Returns the affixes beside a number with these operands, or instead of it.
    func affixes(for operands: @autoclosure () -> PluralOperands, isNegative: Bool = false) -> SignedAffixes {
        guard forms.count > 1 else { return forms[0] }
        let operands = operands()
        if let one = one.first, !isNegative, operands.n(1) { return one }
        return forms[rule.category(for: operands).index]
    }

    /// Returns whether the words for these operands replace the number.
    func standsAlone(for operands: @autoclosure () -> PluralOperands, isNegative: Bool) -> Bool {
        guard alone != 0 || !one.isEmpty else { return false }
        let operands = operands()
        return !one.isEmpty && !isNegative && operands.n(1) || isAlone(rule.category(for: operands))
    }

    private func isAlone(_ category: PluralCategory) -> Bool { alone & 1 << UInt8(category.index) != 0 }

    /// Returns affixes with each form changed in the same way.
    func mapped(_ change: (SignedAffixes) -> SignedAffixes) -> PluralAffixes {
        PluralAffixes(rule: rule, forms: forms.map(change), alone: alone, one: one.map(change))
    }

    /// The affixes of all forms that are written beside a number.
    package var all: [SignedAffixes] {
        forms.enumerated().filter { alone & 1 << UInt8($0.offset) == 0 }.map { $0.element }
    }

    func escapedForJSON() -> PluralAffixes {
        let escaped = mapped { $0.escapedForJSON() }
        return escaped == self ? self : escaped
    }
}

extension PluralCategory {
    /// The index in `allCases`.
    var index: Int {
        switch self {
        case .zero: 0
        case .one: 1
        case .two: 2
        case .few: 3
        case .many: 4
        case .other: 5
        }
    }
}
