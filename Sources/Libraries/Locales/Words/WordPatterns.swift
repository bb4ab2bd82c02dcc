// Looks up words for numbers: unit names and long compact notation, for the languages in the data file.

import Labels

/// CLDR patterns such as `{0} km/h`, by plural category.
struct WordPatterns {
    /// The pattern for numbers without a form of their own, and the forms that differ.
    private let other: Affixes
    private let forms: [PluralCategory: Affixes]
    /// Forms without the number, such as the Arabic dual.
    private let alone: [PluralCategory: [UInt8]]
    /// Replaces 1 and its words, but not -1: French `mille`.
    private let one: [UInt8]?

    /// Returns the forms of a unit, or the root's symbols in languages without data; nil for an unknown unit. A unit per
    /// another, such as `liter-per-minute`, has its own forms or is composed of both.
    static func unit(_ name: String, _ width: NumberFormat.Width, locale: String) -> WordPatterns? {
        if let known = simpleUnit(name, width, locale: locale) { return known }
        let parts = name.split(separator: "-per-", maxSplits: 1)
        guard parts.count == 2, let one = simpleUnit(String(parts[0]), width, locale: locale),
            let around = patterns("/\(parts[1])", width, locale: locale)?.other
        else { return nil }
        // As in ICU, which only writes the sign.
        if parts[0] == "percent", width == .short { return one }
        return one.put(in: around)
    }

    /// The data also contain other entries, under names that no unit has.
    private static func simpleUnit(_ name: String, _ width: NumberFormat.Width, locale: String) -> WordPatterns? {
        guard name != "units", name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }) else {
            return nil
        }
        return patterns(name, width, locale: locale)
    }

    private static func patterns(_ name: String, _ width: NumberFormat.Width, locale: String) -> WordPatterns? {
        guard let fields = lookUp(name, locale: locale), fields.count == 2 else { return nil }
        return WordPatterns(fields[width == .short ? 0 : 1])
    }

    private func put(in outer: Affixes) -> WordPatterns {
        func wrapped(_ inner: Affixes) -> Affixes {
            Affixes(prefix: outer.prefix + inner.prefix, suffix: inner.suffix + outer.suffix)
        }
        return WordPatterns(
            other: wrapped(other), forms: forms.mapValues(wrapped),
            alone: alone.mapValues { outer.prefix + $0 + outer.suffix })
    }

    private init(other: Affixes, forms: [PluralCategory: Affixes], alone: [PluralCategory: [UInt8]]) {
        (self.other, self.forms, self.alone, one) = (other, forms, alone, nil)
    }

    /// Returns the forms of long compact notation for one power of ten, and how far the number shrinks; nil if the language
    /// isn't in the data.
    static func compact(_ magnitude: Int, locale: String) -> (shift: Int, words: WordPatterns)? {
        guard let fields = lookUp("10^\(magnitude)", locale: locale), fields.count == 2, let shift = Int(fields[0])
        else {
            return nil
        }
        return (shift, WordPatterns(fields[1]))
    }

    /// Returns the text between two units; nil without data.
    static func separators(locale: String) -> (short: String, long: String)? {
        lookUp("units", locale: locale).flatMap { $0.count == 2 ? (String($0[0]), String($0[1])) : nil }
    }

    private init(_ field: Substring) {
        var forms: [PluralCategory: Affixes] = [:]
        var alone: [PluralCategory: [UInt8]] = [:]
        var one: [UInt8]?
        var other = Affixes.empty
        for form in field.split(separator: "^") {
            let name = form.prefix { $0 != "=" }
            if name == "1", name.count < form.count {
                one = Array(form.dropFirst(2).utf8)
                continue
            }
            guard let category = PluralCategory(rawValue: String(name)), name.count < form.count else {
                other = Affixes(around: form)
                continue
            }
            let pattern = form.dropFirst(name.count + 1)
            if pattern.contains("{0}") {
                forms[category] = Affixes(around: pattern)
            } else {
                alone[category] = Array(pattern.utf8)
            }
        }
        self.other = other
        self.forms = forms
        self.alone = alone
        self.one = one
    }

    /// Returns these words with a number's own signs: outside the words in compact notation, inside with units, as ICU nests
    /// them. A unit without the number has no sign; a word of compact notation has one.
    func affixes(with number: SignedAffixes, signsOutside: Bool, rule: PluralRule) -> PluralAffixes {
        func combined(_ words: Affixes) -> SignedAffixes { Self.combine(number, words, signsOutside: signsOutside) }
        func word(_ text: [UInt8]) -> SignedAffixes {
            let word = Affixes(prefix: [], suffix: text)
            return signsOutside ? combined(word) : SignedAffixes(positive: word, negative: word)
        }
        return PluralAffixes(
            rule: rule, other: combined(other), forms.mapValues(combined), alone: alone.mapValues(word),
            one: one.map(word))
    }

    private static func combine(_ number: SignedAffixes, _ words: Affixes, signsOutside: Bool) -> SignedAffixes {
        func wrapped(_ affixes: Affixes) -> Affixes {
            let (outer, inner) = signsOutside ? (affixes, words) : (words, affixes)
            return Affixes(prefix: outer.prefix + inner.prefix, suffix: inner.suffix + outer.suffix)
        }
        return SignedAffixes(
            positive: wrapped(number.positive), negative: wrapped(number.negative), zero: wrapped(number.zero))
    }

    /// Returns the fields after locale and name of the most specific entry.
    private static func lookUp(_ name: String, locale: String) -> [Substring]? {
        lineage(of: locale).lazy.compactMap { entries["\($0)|\(name)"] }.first
    }

    private static let entries: [String: [Substring]] = {
        var entries: [String: [Substring]] = [:]
        for line in data.split(separator: "\n") {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count == 4 else { continue }
            // proven: a line of the generated table has more than two fields.
            entries["\(fields[0])|\(fields[1])"] = Array(fields[2...])
        }
        return entries
    }()
}
