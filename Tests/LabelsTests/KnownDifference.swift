// Where Swift's ICU 76 (CLDR 46) and Node's ICU 78 (CLDR 48) differ, each as narrowly as it can be said.

import Labels

/// A difference of two versions of CLDR in the formats of a locale.
struct KnownDifference: Sendable {
    let locale: String
    let reason: String
    /// Nil: every style.
    private let style: NumberFormat.Style?
    /// Whether our text becomes theirs by this difference and nothing else.
    private let explains: @Sendable (_ ours: String, _ theirs: String) -> Bool

    init(
        _ locale: String, _ style: NumberFormat.Style?, _ reason: String,
        explains: @escaping @Sendable (String, String) -> Bool
    ) {
        self.locale = locale
        self.style = style
        self.reason = reason
        self.explains = explains
    }

    /// One piece of text stands where another stood.
    init(_ locale: String, _ style: NumberFormat.Style?, _ old: String, _ new: String, _ reason: String) {
        self.init(locale, style, reason) { ours, theirs in Self.replace(old, new, in: ours) == theirs }
    }

    func covers(_ locale: String, _ format: NumberFormat, ours: String, theirs: String) -> Bool {
        self.locale == locale && (style == nil || style == format.style) && explains(ours, theirs)
    }

    private static func replace(_ old: String, _ new: String, in text: String) -> String {
        text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }

    /// The same digits: names differ, and what stands beside them.
    private static let names: @Sendable (String, String) -> Bool = { digits($0) == digits($1) }
    /// The same characters in another order, spaces apart.
    private static let order: @Sendable (String, String) -> Bool = {
        $0.filter { !$0.isWhitespace }.sorted() == $1.filter { !$0.isWhitespace }.sorted()
    }
    /// The same but for spaces.
    private static let spaces: @Sendable (String, String) -> Bool = {
        $0.filter { !$0.isWhitespace } == $1.filter { !$0.isWhitespace }
    }

    private static func digits(_ text: String) -> String { text.filter(\.isNumber) }

    static let all = [
        KnownDifference("de-CH", nil, "\u{2019}", "'", "group separator: U+2019 in ICU 76, U+0027 in ICU 78"),
        KnownDifference("it-CH", nil, "\u{2019}", "'", "it-CH group separator: U+2019 in ICU 76, U+0027 in ICU 78"),
        KnownDifference("de-AT", nil, "group separator of plain numbers: `.` in ICU 76, U+00A0 in ICU 78") {
            ours, theirs in
            replace("\u{A0}", ".", in: ours) == replace("\u{A0}", ".", in: theirs)
        },
        KnownDifference(
            "fr-CH", .currency,
            "currency before the number and `,` in ICU 76 (beside names, too), after it and `.` in ICU 78",
            explains: names),
        KnownDifference("it-CH", .compact, "no short thousands in ICU 76, `K` in ICU 78 (Italian)") { _, theirs in
            theirs.contains("K")
        },
        KnownDifference(
            "fr-CA", .currency, "space before currency names: U+0020 in ICU 76, U+00A0 in ICU 78", explains: spaces),
        KnownDifference("en-GB", .compact, "K and B in ICU 76, k and bn in ICU 78", explains: names),
        KnownDifference("it-IT", .compact, "no short thousands in ICU 76, `K` in ICU 78") { _, theirs in
            theirs.contains("K")
        },
        KnownDifference("es-MX", .compact, "10^9 is `1k M` in ICU 76, `1000 M` in ICU 78") { ours, theirs in
            ours.contains("k") && theirs.hasSuffix("M")
        },
        KnownDifference("gl-ES", .currency, "accounting: a minus in ICU 76, parentheses in ICU 78") { ours, theirs in
            ours.contains("-") && "(\(replace("-", "", in: ours)))" == theirs
        },
        KnownDifference("ur-PK", nil, "groups of two in ICU 76, of three in ICU 78") { ours, theirs in
            replace(",", "", in: ours) == replace(",", "", in: theirs)
        },
        KnownDifference("af-ZA", .currency, "names of some currencies in Afrikaans", explains: names),
        KnownDifference("sv-SE", .currency, "names of some currencies in Swedish", explains: names),
        KnownDifference("te-IN", .currency, "names of some currencies in Telugu", explains: names),
        KnownDifference(
            "zh-TW", .currency, "no space before currency names in ICU 76, one in ICU 78", explains: spaces),
        KnownDifference("es-AR", .compact, "10^9 is `1k M` in ICU 76, `1000 M` in ICU 78 (Argentina)") { ours, theirs in
            ours.contains("k") && theirs.hasSuffix("M")
        },
        KnownDifference("bn-BD", .compact, "10^10 is 10 hundred crore in ICU 76, 1 thousand crore in ICU 78") {
            _, theirs in
            theirs.contains("\u{9B6}\u{9A4}")
        },
        KnownDifference("sw-KE", .compact, "the sign of long forms stands inside (`elfu -4.1`), which plans don't do") {
            ours, theirs in ours.filter { $0 != "-" } == theirs.filter { $0 != "-" }
        },
        KnownDifference("tr-TR", .currency, "Node 20 writes digits behind the currency name", explains: order),
    ]
}
