// The locales from which a locale inherits words: CLDR's parentLocales, as shown by the Intl of Node 20.20.2 with CLDR 48.

extension WordPatterns {
    /// Returns the data keys to look up, the most specific first: `en-SG`, `en-001`, `en`, `root`.
    static func lineage(of tag: String) -> [String] {
        let subtags = tag.split(separator: "-").map { $0.lowercased() }
        let language = subtags.first.map { $0 == "no" ? "nb" : $0 } ?? ""
        // A single letter begins an extension.
        let rest = subtags.dropFirst().prefix { $0.utf8.count > 1 }
        let region =
            rest.first { $0.utf8.count == 2 || $0.utf8.count == 3 && $0.allSatisfy(\.isNumber) }?.uppercased() ?? ""
        let script = rest.first { $0.utf8.count == 4 && !$0.utf8.contains { (0x30...0x39).contains($0) } }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let scripted = "\(language)-\(script ?? scripts["\(language)-\(region)"] ?? "")"
        let base = ownRoots.contains(scripted) ? scripted : language
        let written = script.map { ["\(language)-\($0)-\(region)"] } ?? []
        return written + ["\(base)-\(region)"] + parents(of: base, region) + [base, "root"]
    }

    /// Returns the parents between a region and its language.
    private static func parents(of base: String, _ region: String) -> [String] {
        switch base {
        case "en" where world.contains(region): ["en-001"]
        case "es" where latinAmerica.contains(region): ["es-419"]
        case "pt" where lusophone.contains(region): ["pt-PT"]
        case "zh-Hant" where region == "MO": ["zh-Hant-HK"]
        default: []
        }
    }

    /// Scripts other than their language's main one: they inherit from the root only, not from the language.
    private static let ownRoots: Set = [
        "az-Cyrl", "bs-Cyrl", "hi-Latn", "kk-Arab", "pa-Arab", "sr-Latn", "uz-Arab", "uz-Cyrl", "zh-Hant",
    ]

    /// The script of tags without one, if the region decides.
    private static let scripts = [
        "pa-PK": "Arab", "sr-ME": "Latn", "uz-AF": "Arab", "zh-HK": "Hant", "zh-MO": "Hant", "zh-TW": "Hant",
    ]

    /// Regions with British English.
    private static let world = regions(
        """
        150 AG AI AT AU BB BE BM BS BW BZ CA CC CH CK CM CX CY CZ DE DG DK DM EE ER ES FI FJ FK FM FR GB GD GE GG GH \
        GI GM GS GY HK HU ID IE IL IM IN IO IT JE JM KE KI KN KY LC LR LS LT LV MG MO MS MT MU MV MW MY NA NF NG NL \
        NO NR NU NZ PG PK PL PN PT PW RO RW SB SC SD SE SG SH SI SK SL SS SX SZ TC TK TO TT TV TZ UA UG VC VG VU WS \
        ZA ZM ZW
        """)

    private static let latinAmerica = regions("AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE")

    /// Regions with European Portuguese.
    private static let lusophone = regions("AO CH CV GQ GW LU MO MZ ST TL")

    private static func regions(_ list: String) -> Set<String> { Set(list.split(separator: " ").map(String.init)) }
}
