// Affixes that follow the plural form of the number beside them: `1 day`, `2 days`, `1 million`, `2 millions`.

/// One pair of affixes for each plural category, with the rule that picks.
public struct PluralAffixes: Hashable, Sendable {
    package let rule: PluralRule
    /// By the order of `PluralCategory.allCases`; one entry where all are equal.
    let forms: [SignedAffixes]

    /// The same affixes whatever the number is.
    public init(always affixes: SignedAffixes) {
        self.init(rule: .none, forms: [affixes])
    }

    /// Affixes by category; those that are missing are as `other`.
    public init(rule: PluralRule, other: SignedAffixes, _ forms: [PluralCategory: SignedAffixes]) {
        if forms.values.allSatisfy({ $0 == other }) {
            self.init(always: other)
        } else {
            self.init(rule: rule, forms: PluralCategory.allCases.map { forms[$0] ?? other })
        }
    }

    private init(rule: PluralRule, forms: [SignedAffixes]) {
        self.rule = rule
        self.forms = forms
    }

    /// The affixes that differ from those of `other`, and those; by the names of their categories.
    package var byCategory: [(name: String, affixes: SignedAffixes)] {
        guard forms.count > 1, let other = forms.last else { return forms.map { (PluralCategory.other.rawValue, $0) } }
        let categories = PluralCategory.allCases.filter { $0 == .other || forms[$0.index] != other }
        return categories.map { ($0.rawValue, forms[$0.index]) }
    }

    /// The affixes beside a number with these operands.
    func affixes(for operands: @autoclosure () -> PluralOperands) -> SignedAffixes {
        forms.count == 1 ? forms[0] : forms[rule.category(for: operands()).index]
    }

    /// Each form's affixes changed in the same way.
    func mapped(_ change: (SignedAffixes) -> SignedAffixes) -> PluralAffixes {
        PluralAffixes(rule: rule, forms: forms.map(change))
    }

    /// The affixes of all forms.
    package var all: [SignedAffixes] { forms }

    func escapedForJSON() -> PluralAffixes {
        let escaped = forms.map { $0.escapedForJSON() }
        return escaped == forms ? self : PluralAffixes(rule: rule, forms: escaped)
    }
}

extension PluralCategory {
    /// The place in `allCases`.
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
