// Checks language tags. Foundation accepts any text as a locale and silently falls back; clients get an error instead.

import Labels

#if canImport(FoundationEssentials)
    import FoundationEssentials
    import FoundationInternationalization
#else
    import Foundation
#endif

enum LocaleTag {
    /// Returns a BCP 47 tag with the names of CLDR's data.
    static func preferred(_ tag: String) throws(NumberFormatError) -> String {
        guard tag.utf8.count <= 64, let read = LanguageTag(tag) else {
            throw NumberFormatError(.locale, "not a language tag")
        }
        guard languages.contains(read.language) else { throw NumberFormatError(.locale, "no data for this language") }
        return read.text
    }

    /// Returns the locale of a preferred tag.
    static func locale(_ tag: String) -> Locale {
        Locale(identifier: withNumbering(tag, tag.split(separator: "-").map { $0.lowercased() }))
    }

    /// Returns whether digits are grouped by threes: Bengali percentages, and Marathi percentages and money, in their own
    /// digits (CLDR 48). Foundation's data have the grouping of Latin digits there.
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

    /// Adds the numbering system for languages where Foundation's data use Latin digits, but CLDR's default is their own.
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
