// Language tags by RFC 5646 and CLDR's aliases: what is taken, under which name, and what a label makes of it.

import Locales
import Testing

@testable import Labels

struct LanguageTagTests {
    @Test(arguments: [
        ("de_ch", "de-CH"), ("DE-LATN-de-1996-U-NU-LATN", "de-Latn-DE-1996-u-nu-latn"), ("iw", "he"),
        ("iw-IL", "he-IL"),
        ("tl-PH", "fil-PH"), ("in", "id"), ("ji", "yi"), ("mo-MD", "ro-MD"), ("sh", "sr-Latn"), ("sh-RS", "sr-Latn-RS"),
        ("sh-Cyrl", "sr-Cyrl"), ("cnr", "sr-ME"), ("prs", "fa-AF"), ("swc", "sw-CD"), ("deu", "de"),
        ("ger-276", "de-DE"),
        ("ru-SU", "ru-RU"), ("en-UK", "en-GB"), ("es-419", "es-419"), ("zh-cmn-Hans-CN", "zh-Hans-CN"),
        ("zh-yue", "yue"),
        ("zh-guoyu", "zh"), ("no-bok", "nb"), ("art-lojban", "jbo"), ("de-1901-1996", "de-1901-1996"),
        ("en-a-bb-u-nu-latn-x-a-u-1", "en-a-bb-u-nu-latn-x-a-u-1"), ("no", "no"), ("sl-rozaj-1994", "sl-rozaj-1994"),
    ])
    func `a language tag has one canonical form`(text: String, name: String) {
        #expect(LanguageTag(text)?.text == name)
        #expect(LanguageTag(name)?.text == name)
    }

    @Test(arguments: [
        "", "d", "-", "de-", "-de", "de--DE", "de-1996-1996", "sl-rozaj-ROZAJ", "de-u-nu-latn-u-nu-arab",
        "de-a-bb-A-cc",
        "de-u", "de-u-nu-latn-x", "de-x", "de-a", "abcd", "123", "12", "de-DE-DE", "de-Latn-Latn", "de-Latn-Arab",
        "de-DE-Latn", "x-private", "de-123456789", "de-D\u{131}", "dé", "de DE", "de-u-", "zh-cmn-yue", "a1", "de-!!",
    ])
    func `a malformed language tag is refused`(text: String) {
        #expect(LanguageTag(text) == nil)
        #expect(throws: NumberFormatError(.locale, "not a language tag")) {
            try NumberPlanCompiler.plan(for: NumberFormat(locale: text))
        }
    }

    @Test(arguments: [
        ("iw", "he"), ("tl", "fil"), ("in-ID", "id-ID"), ("mo", "ro"), ("sh", "sr-Latn"), ("deu-CH", "de-CH"),
        ("ji", "yi"), ("no", "nb"), ("hin", "hi"),
    ])
    func `numbers, units, plurals and words of a language alias equal those of its preferred tag`(
        alias: String, name: String
    ) throws {
        for style in [NumberFormat.Style.decimal, .compact, .percent] {
            let texts = try [alias, name].map {
                try NumberPlanCompiler.plan(for: NumberFormat(locale: $0, style: style)).text(of: 1_234_567.5)
            }
            #expect(texts[0] == texts[1])
        }
        let hours = try [alias, name].map {
            var format = NumberFormat(locale: $0, style: .unit, unit: "hour")
            format.unitDisplay = .long
            return try NumberPlanCompiler.plan(for: format).text(of: 2)
        }
        #expect(hours[0] == hours[1])
        #expect(PluralRule(language: alias) == PluralRule(language: name))
        let words = try [alias, name].map { try TimeWords.words(in: $0) }
        #expect(words[0].phrases.dueNow == words[1].phrases.dueNow)
    }
}
