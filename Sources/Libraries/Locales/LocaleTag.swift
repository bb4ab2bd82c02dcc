// Checks language tags. Foundation takes any text for a locale and falls back in silence; a client is told instead.

import Labels

#if canImport(FoundationEssentials)
    import FoundationEssentials
    import FoundationInternationalization
#else
    import Foundation
#endif

enum LocaleTag {
    /// A BCP 47 tag under the names that CLDR has data under.
    static func preferred(_ tag: String) throws(NumberFormatError) -> String {
        guard tag.utf8.count <= 64, let read = LanguageTag(tag) else {
            throw NumberFormatError(.locale, "not a language tag")
        }
        guard languages.contains(read.language) else { throw NumberFormatError(.locale, "no data for this language") }
        return read.text
    }

    /// The locale of a preferred tag.
    static func locale(_ tag: String) -> Locale {
        Locale(identifier: withNumbering(tag, tag.split(separator: "-").map { $0.lowercased() }))
    }

    /// Bengali percentages, and Marathi ones and money, are grouped by threes in their own digits (CLDR 48), where the
    /// data at hand has the grouping of Latin digits.
    static func groupsByThrees(_ format: NumberFormat) -> Bool {
        let subtags = format.locale.lowercased().split(separator: "-")
        guard !subtags.contains("nu") else { return false }
        let isUnit = format.style == .unit && format.unit == "percent" && format.unitDisplay == .short
        let isPercent = format.style == .percent || isUnit
        switch subtags.first {
        case "bn": return isPercent
        case "mr": return isPercent || (format.style == .currency && format.currencyDisplay != .name)
        default: return false
        }
    }

    /// Foundation's data writes Latin digits where CLDR's default for the language is its own.
    private static func withNumbering(_ tag: String, _ subtags: [String]) -> String {
        guard let language = subtags.first, !subtags.contains("nu") else { return tag }
        let numbering =
            switch language {
            case "bn": "beng"
            case "mr": "deva"
            case "ur" where subtags.contains("in"): "arabext"
            default: ""
            }
        if numbering.isEmpty { return tag }
        return subtags.contains("u") ? tag + "-nu-" + numbering : tag + "-u-nu-" + numbering
    }

    private static let languages = Set(
        Locale.availableIdentifiers.map { String($0.prefix { $0 != "_" && $0 != "-" }).lowercased() })
}
