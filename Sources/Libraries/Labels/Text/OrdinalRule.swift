// CLDR's ordinal plural rules, which pick the ending of a rank (1st, 2nd, 3rd), and their languages.

/// How a language picks the word for a rank.
public enum OrdinalRule: Hashable, Sendable, CaseIterable {
    /// One form for all.
    case none
    /// A form for the first only: French.
    case first
    /// Languages with their own rules.
    case albanian, anii, assamese, azerbaijani, belarusian, catalan, cornish, english, gaelic, georgian, gujarati,
        hungarian
    case italian, kazakh, ligurian, macedonian, marathi, nepali, odia, swedish, turkmen, ukrainian, welsh

    /// Creates the rule of a language or locale. Languages without rules in CLDR are `none`, as in CLDR's root.
    public init(language identifier: String) {
        let language = LanguageTag(identifier)?.language ?? ""
        self = Self.allCases.first { $0.languages.split(separator: " ").contains(language[...]) } ?? .none
    }

    /// A language with this rule that most CLDR data contain; nil if there is one form for all.
    package var language: String? { languages.split(separator: " ").first.map(String.init) }

    private var languages: String {
        switch self {
        case .none: ""
        case .first: "fr bal fil ga hy lo mo ms ro tl vi"
        case .albanian: "sq"
        case .anii: "blo"
        case .assamese: "as bn"
        case .azerbaijani: "az"
        case .belarusian: "be"
        case .catalan: "ca"
        case .cornish: "kw"
        case .english: "en"
        case .gaelic: "gd"
        case .georgian: "ka"
        case .gujarati: "gu hi"
        case .hungarian: "hu"
        case .italian: "it lld sc vec"
        case .kazakh: "kk"
        case .ligurian: "lij scn"
        case .macedonian: "mk"
        case .marathi: "mr kok"
        case .nepali: "ne"
        case .odia: "or"
        case .swedish: "sv"
        case .turkmen: "tk"
        case .ukrainian: "uk"
        case .welsh: "cy"
        }
    }

    /// Returns the category of a shown number.
    public func category(for number: PluralOperands) -> PluralCategory {
        switch self {
        // These only depend on the digits before the point.
        case .anii, .azerbaijani, .georgian, .macedonian: units(number.i)
        default: number.isInteger ? rank(number.i) : .other
        }
    }

    private func units(_ i: UInt64) -> PluralCategory {
        let (ones, hundreds) = (i % 10, i % 100)
        switch self {
        case .anii: return i == 0 ? .zero : i == 1 ? .one : i <= 6 ? .few : .other
        case .azerbaijani:
            if [1, 2, 5, 7, 8].contains(ones) || [20, 50, 70, 80].contains(hundreds) { return .one }
            if ones == 3 || ones == 4 || hundreds == 0 && !i.isMultiple(of: 1_000) { return .few }
            return i == 0 || ones == 6 || [40, 60, 90].contains(hundreds) ? .many : .other
        case .georgian:
            if i == 1 { return .one }
            return i == 0 || (2...20).contains(hundreds) || [40, 60, 80].contains(hundreds) ? .many : .other
        default:  // Macedonian
            guard hundreds != 10 + ones else { return .other }
            return ones == 1 ? .one : ones == 2 ? .two : ones == 7 || ones == 8 ? .many : .other
        }
    }

    private func rank(_ n: UInt64) -> PluralCategory {
        let (ones, hundreds) = (n % 10, n % 100)
        switch self {
        case .albanian: return n == 1 ? .one : ones == 4 && hundreds != 14 ? .many : .other
        case .belarusian: return (ones == 2 || ones == 3) && hundreds != 10 + ones ? .few : .other
        case .cornish:
            let isOne = [1...4, 21...24, 41...44, 61...64, 81...84].contains { $0.contains(hundreds) }
            return isOne ? .one : hundreds == 5 ? .many : .other
        case .english:
            guard hundreds != 10 + ones else { return .other }
            return ones == 1 ? .one : ones == 2 ? .two : ones == 3 ? .few : .other
        case .italian: return [8, 11, 80, 800].contains(n) ? .many : .other
        case .kazakh: return ones == 6 || ones == 9 || ones == 0 && n != 0 ? .many : .other
        case .ligurian: return n == 8 || n == 11 || n / 10 == 8 || n / 100 == 8 ? .many : .other
        case .swedish: return (ones == 1 || ones == 2) && hundreds != 10 + ones ? .one : .other
        case .turkmen: return ones == 6 || ones == 9 || n == 10 ? .few : .other
        case .ukrainian: return ones == 3 && hundreds != 13 ? .few : .other
        default: return small(n)
        }
    }

    /// Returns the category in languages that only have forms for small numbers.
    private func small(_ n: UInt64) -> PluralCategory {
        let one: [UInt64]
        switch self {
        case .first: one = [1]
        case .hungarian: one = [1, 5]
        case .nepali: one = [1, 2, 3, 4]
        case .catalan: one = [1, 3]
        case .assamese: one = [1, 5, 7, 8, 9, 10]
        case .odia: one = [1, 5, 7, 8, 9]
        case .gaelic: one = [1, 11]
        case .welsh: one = [1]
        case .gujarati, .marathi: one = [1]
        default: one = []
        }
        if one.contains(n) { return .one }
        switch (self, n) {
        case (.first, _), (.hungarian, _), (.nepali, _), (.none, _): return .other
        case (.catalan, 2), (.gaelic, 2), (.gaelic, 12), (.welsh, 2): return .two
        case (.catalan, 4), (.gaelic, 3), (.gaelic, 13), (.welsh, 3), (.welsh, 4): return .few
        case (.welsh, 0), (.welsh, 7...9): return .zero
        case (.welsh, 5), (.welsh, 6): return .many
        case (.catalan, _), (.gaelic, _), (.welsh, _): return .other
        // Assamese, Gujarati, Marathi, Odia
        case (_, 2), (_, 3): return .two
        case (_, 4): return .few
        case (_, 6): return self == .marathi ? .other : .many
        default: return .other
        }
    }
}
