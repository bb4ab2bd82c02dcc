// Language tags by the grammar of RFC 5646 (section 2.1), with CLDR's preferred names: `iw` is `he`, `sh-RS` is
// `sr-Latn-RS`. Only text; other code knows which have data.

/// A parsed tag, with its preferred names.
package struct LanguageTag: Hashable, Sendable {
    /// In lower case, such as `de`.
    package private(set) var language: String
    /// Capitalised, such as `Latn`.
    package private(set) var script: String?
    /// In capitals or digits, such as `DE`.
    package private(set) var region: String?
    private var variants: [String] = []
    /// Each after its singleton: `u-nu-latn`.
    private var extensions: [String] = []

    /// Parses a tag in any case, with hyphens or underscores. Nil if it is not well-formed, or repeats a variant or an
    /// extension.
    package init?(_ text: String) {
        let tag = String(text.lowercased().map { $0 == "_" ? "-" : $0 })
        var subtags = (Self.grandfathered[tag] ?? tag).split(separator: "-", omittingEmptySubsequences: false)[...]
        guard subtags.allSatisfy(Self.isSubtag), let first = subtags.popFirst(), Self.isLanguage(first) else {
            return nil
        }
        language = String(first)
        if first.utf8.count <= 3, let extended = subtags.first, extended.utf8.count == 3, Self.isAlphabetic(extended) {
            // An extended language is a language of its own: `zh-yue` is `yue`.
            language = String(extended)
            subtags.removeFirst()
        }
        if let script = subtags.first, script.utf8.count == 4, Self.isAlphabetic(script) {
            self.script = script.prefix(1).uppercased() + script.dropFirst()
            subtags.removeFirst()
        }
        if let region = subtags.first, Self.isRegion(region) {
            self.region = region.uppercased()
            subtags.removeFirst()
        }
        while let variant = subtags.first, Self.isVariant(variant) {
            guard !variants.contains(String(variant)) else { return nil }
            variants.append(String(variant))
            subtags.removeFirst()
        }
        guard readExtensions(subtags) else { return nil }
        prefer()
    }

    private mutating func readExtensions(_ rest: ArraySlice<Substring>) -> Bool {
        var subtags = rest
        while let singleton = subtags.popFirst() {
            guard singleton.utf8.count == 1, !extensions.contains(where: { $0.prefix(1) == singleton }) else {
                return false
            }
            // After an x everything is private, even single letters.
            let values = singleton == "x" ? subtags : subtags.prefix { $0.utf8.count > 1 }
            guard !values.isEmpty else { return false }
            extensions.append(([singleton] + values).joined(separator: "-"))
            subtags.removeFirst(values.count)
        }
        return true
    }

    private mutating func prefer() {
        if let preferred = Self.languages[language], let other = LanguageTag(preferred) {
            language = other.language
            script = script ?? other.script
            region = region ?? other.region
        }
        region = region.map { Self.regions[$0] ?? $0 }
    }

    /// The tag in BCP 47's recommended form: `de-Latn-DE-1996-u-nu-latn`.
    package var text: String {
        ([language, script, region].compactMap { $0 } + variants + extensions).joined(separator: "-")
    }

    // MARK: - Subtags

    private static func isSubtag(_ subtag: Substring) -> Bool {
        (1...8).contains(subtag.utf8.count)
            && subtag.utf8.allSatisfy { ASCII.isDigit($0) || ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
    }

    private static func isAlphabetic(_ subtag: Substring) -> Bool { !subtag.utf8.contains(where: ASCII.isDigit) }

    /// Four letters are reserved.
    private static func isLanguage(_ subtag: Substring) -> Bool {
        isAlphabetic(subtag) && subtag.utf8.count > 1 && subtag.utf8.count != 4
    }

    private static func isRegion(_ subtag: Substring) -> Bool {
        subtag.utf8.count == 2 && isAlphabetic(subtag)
            || subtag.utf8.count == 3 && subtag.utf8.allSatisfy(ASCII.isDigit)
    }

    private static func isVariant(_ subtag: Substring) -> Bool {
        subtag.utf8.count > 4 || subtag.utf8.count == 4 && subtag.utf8.first.map(ASCII.isDigit) == true
    }
}
