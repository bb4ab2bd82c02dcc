// Updates with number formats drawn by lot.

enum FormatLottery {
    private static let locales = [
        "en-US", "de-DE", "de-CH", "fr-FR", "es-ES", "pt-BR", "it-IT", "pl-PL", "ru-RU", "cs-CZ", "sv-SE", "fi-FI",
        "tr-TR",
        "hi-IN", "bn-BD", "mr-IN", "ar-EG", "fa-IR", "he-IL", "ja-JP", "zh-CN", "ko-KR", "th-TH", "my-MM", "lt-LT",
        "sl-SI",
    ]
    private static let styles = [
        #""style":"decimal""#, #""style":"currency","currency":"EUR""#, #""style":"currency","currency":"USD""#,
        #""style":"currency","currency":"JPY""#, #""style":"currency","currency":"INR","currencyDisplay":"name""#,
        #""style":"currency","currency":"USD","currencySign":"accounting""#,
        #""style":"currency","currency":"EUR","notation":"compact""#, #""style":"percent""#, #""style":"compact""#,
        #""style":"compact","compactDisplay":"long""#, #""style":"unit","unit":"kilometer-per-hour""#,
        #""style":"unit","unit":"day","unitDisplay":"long""#, #""style":"decimal","notation":"scientific""#,
        #""style":"decimal","maximumSignificantDigits":4"#,
    ]
    private static let labels = [
        "0", "Total: 0", "Q3 sales: 5 units", "0 left", "{n, plural, one {# coin} other {# coins}}",
    ]

    /// The body of an update of a ticker.
    static func update(using random: inout some RandomNumberGenerator) -> String {
        let locale = locales.randomElement(using: &random) ?? ""
        var format = [styles.randomElement(using: &random) ?? "", #""locale":"\#(locale)""#]
        let signs = ["auto", "always", "never", "except-zero"]
        format.append(#""sign":"\#(signs.randomElement(using: &random) ?? "")""#)
        if Bool.random(using: &random) { format.append(#""rounding":"half-even""#) }
        if Int.random(in: 0..<4, using: &random) == 0 { format.append(#""minimumIntegerDigits":5"#) }
        let label = labels.randomElement(using: &random) ?? ""
        var members = [#""label":"\#(label)""#, #""format":{\#(format.joined(separator: ","))}"#]
        if label.hasPrefix("Q3") { members.append(#""index":1"#) }
        let isPlain = !format[0].contains("Significant")
        if isPlain, Bool.random(using: &random) {
            members.append(#""decimals":\#(Int.random(in: 0...4, using: &random))"#)
        }
        let target = Double(Int.random(in: -9_999_999...9_999_999, using: &random)) / 100
        members.append(#""from":-1234.5,"to":\#(target),"easing":"cubic-bezier(0.3, 1.4, 0.6, 1)""#)
        return "{\(members.joined(separator: ","))}"
    }
}
