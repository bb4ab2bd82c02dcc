// A unit of time beside a number in a text, such as the `days` of `3 days left`: how it is written beside other numbers.

/// A unit's word with the space that its writer left, in all of its forms.
struct WrittenUnit: Hashable, Sendable {
    /// What stands around a count, by its plural form.
    private(set) var forms: PluralAffixes

    /// Appends a count with its word.
    func append(_ count: Int, _ number: NumberPlan, to bytes: inout [UInt8]) {
        let operands = PluralOperands(i: UInt64(max(0, count)))
        let affixes = forms.affixes(for: operands).positive
        guard !forms.standsAlone(for: operands, isNegative: false) else {
            // Without the space to a number that isn't there.
            return bytes.append(contentsOf: affixes.suffix.drop { $0 == ASCII.space })
        }
        bytes.append(contentsOf: affixes.prefix)
        number.append(Double(count), to: &bytes)
        bytes.append(contentsOf: affixes.suffix)
    }

    func escapedForJSON() -> WrittenUnit { WrittenUnit(forms: forms.escapedForJSON()) }
}

/// A word that names a unit of time in some language.
struct UnitName: Sendable {
    /// What it counts; nil: a unit that no countdown has.
    let unit: CountdownUnit?
    let forms: PluralAffixes

    /// Abbreviations of English that CLDR has otherwise, or not at all.
    static let english: [UnitName] = [
        (.days, "d", "d"), (.hours, "h", "h"), (.hours, "hr", "hrs"), (.hours, "hr", "hr"), (.minutes, "min", "min"),
        (.minutes, "min", "mins"), (.minutes, "m", "m"), (.seconds, "s", "s"), (.seconds, "sec", "sec"),
        (.seconds, "sec", "secs"), (nil, "wk", "wks"), (nil, "mo", "mos"), (nil, "yr", "yrs"), (nil, "ms", "ms"),
        (nil, "millisecond", "milliseconds"), (nil, "fortnight", "fortnights"),
    ].map { unit, one, other in
        func affixes(_ word: String) -> SignedAffixes {
            let affixes = Affixes(prefix: [], suffix: Array(" \(word)".utf8))
            return SignedAffixes(positive: affixes, negative: affixes)
        }
        return UnitName(
            unit: unit,
            forms: PluralAffixes(rule: .oneIfWholeOne, other: affixes(other), one == other ? [:] : [.one: affixes(one)])
        )
    }
}

extension TimeWords {
    /// The words of its units, short and long.
    var unitNames: [UnitName] {
        func names(_ units: Units) -> [UnitName] {
            zip([.days, .hours, .minutes, .seconds], units.all).compactMap { (unit: CountdownUnit, word: Unit) in
                word.plan.plural.map { UnitName(unit: unit, forms: $0) }
            }
        }
        return names(words) + names(symbols)
            + larger.compactMap { $0.plan.plural.map { UnitName(unit: nil, forms: $0) } }
    }
}
