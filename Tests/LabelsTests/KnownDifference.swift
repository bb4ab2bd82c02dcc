// Where Swift's ICU 76 (CLDR 46) and Node's ICU 78 (CLDR 48) differ, as seen in the vectors.

import Labels

/// Formats of a locale that two versions of CLDR write differently.
struct KnownDifference: Sendable {
    let locale: String
    let reason: String
    /// Nil: every style.
    let style: NumberFormat.Style?

    init(_ locale: String, _ style: NumberFormat.Style?, _ reason: String) {
        self.locale = locale
        self.style = style
        self.reason = reason
    }

    func covers(_ locale: String, _ format: NumberFormat) -> Bool {
        self.locale == locale && (style == nil || style == format.style)
    }

    static let all = [
        KnownDifference("de-CH", nil, "group separator: U+2019 in ICU 76, U+0027 in ICU 78"),
        KnownDifference("it-CH", nil, "it-CH group separator: U+2019 in ICU 76, U+0027 in ICU 78"),
        KnownDifference("de-AT", nil, "group separator of plain numbers: `.` in ICU 76, U+00A0 in ICU 78"),
        KnownDifference("fr-CH", .currency, "currency before the number in ICU 76, after it in ICU 78"),
        KnownDifference("fr-CA", .currency, "space before currency names: U+0020 in ICU 76, U+00A0 in ICU 78"),
        KnownDifference("en-GB", .compact, "K and B in ICU 76, k and bn in ICU 78"),
        KnownDifference("it-IT", .compact, "no short thousands in ICU 76, `K` in ICU 78"),
        KnownDifference("es-MX", .compact, "10^9 is `1k M` in ICU 76, `1000 M` in ICU 78"),
        KnownDifference("gl-ES", .currency, "accounting: a minus in ICU 76, parentheses in ICU 78"),
        KnownDifference("ms-MY", .currency, "no space after currency codes in ICU 76, U+00A0 in ICU 78"),
        KnownDifference("id-ID", .currency, "no space after symbols of letters in ICU 76, U+00A0 in ICU 78"),
        KnownDifference("ur-PK", nil, "groups of two in ICU 76, of three in ICU 78"),
        KnownDifference("af-ZA", .currency, "names of some currencies in Afrikaans"),
        KnownDifference("sv-SE", .currency, "names of some currencies in Swedish"),
        KnownDifference("te-IN", .currency, "names of some currencies in Telugu"),
        KnownDifference("zh-TW", .currency, "no space before currency names in ICU 76, one in ICU 78"),
        KnownDifference("es-AR", .compact, "10^9 is `1k M` in ICU 76, `1000 M` in ICU 78 (Argentina)"),
        KnownDifference("sw-KE", .compact, "the sign of long forms stands inside (`elfu -4.1`), which plans don't do"),
        KnownDifference("tr-TR", .currency, "Node 20 writes digits behind the currency name"),
    ]
}
