// A unit of time next to a number in a text, such as the `days` of `3 days left`, with the forms it takes beside other numbers.

/// A unit's word in all its forms, with its author's spacing.
struct WrittenUnit: Hashable, Sendable {
    /// The text around a count, by its plural form.
    private(set) var forms: PluralAffixes

    /// Appends a count with its word.
    func append(_ count: Int, _ number: NumberPlan, to bytes: inout [UInt8]) {
        let operands = PluralOperands(i: UInt64(max(0, count)))
        let affixes = forms.affixes(for: operands).positive
        guard !forms.standsAlone(for: operands, isNegative: false) else {
            // Without a number, the space before the word is omitted.
            let word = String(decoding: affixes.suffix, as: UTF8.self).unicodeScalars.drop(while: NumberSigns.isSpace)
            return bytes.append(contentsOf: String(word).utf8)
        }
        bytes.append(contentsOf: affixes.prefix)
        number.append(Double(count), to: &bytes)
        bytes.append(contentsOf: affixes.suffix)
    }

    func escapedForJSON() -> WrittenUnit { WrittenUnit(forms: forms.escapedForJSON()) }
}

/// A word for a unit of time in some language.
struct UnitName: Sendable {
    /// The counted unit; nil for a unit that countdowns don't support.
    let unit: CountdownUnit?
    let forms: PluralAffixes

    /// English words that differ from CLDR's, or are missing there.
    static let english: [UnitName] = [
        (.days, "d", "d"), (.hours, "h", "h"), (.hours, "hr", "hr"), (.hours, "hr", "hrs"), (.minutes, "min", "min"),
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
    /// The words of its units, short and long, and of larger units, which countdowns refuse.
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
