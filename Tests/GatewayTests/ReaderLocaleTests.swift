// The locale that a reader names.

import Testing

@testable import Gateway

@Suite struct ReaderLocaleTests {
    @Test(arguments: [
        ("de-DE", "de-DE"), ("de_de", "de-DE"), ("DE", "de"), ("zh-hant-tw", "zh-Hant-TW"),
        ("AR-u-NU-latn", "ar-u-nu-latn"), ("de-x-DE", "de-x-de"), ("es-419", "es-419"), ("", ""), ("a--b", "a--b"),
    ])
    func `a locale tag has one canonical form, however it is written`(tag: String, name: String) {
        #expect(ReaderLocale.canonical(tag) == name)
    }
}
