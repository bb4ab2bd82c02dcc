// Texts of clients in lines that people read.

import Foundation
import Testing
import Wire

@Suite struct ShownTextTests {
    private static func shown(_ text: String, as form: ShownText.Form, most: Int = .max) -> String {
        var bytes: [UInt8] = []
        ShownText.append(text, as: form, most: most, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends of lines, cursors, directions, zero widths, tags, spaces that look like one, what fonts show nothing for, and what
    /// nobody knows how they show.
    private static let doing: [UInt32] = [
        0, 0x0A, 0x1B, 0x7F, 0x85, 0x9B, 0xA0, 0xAD, 0x34F, 0x61C, 0x115F, 0x180E, 0x200B, 0x200D, 0x200E, 0x202E,
        0x2028,
        0x2029, 0x2060, 0x2066, 0x206F, 0x3000, 0x3164, 0xE000, 0xFE0F, 0xFEFF, 0xFFF9, 0x1D173, 0xE0001, 0xE0041,
        0xE007F,
        0xE0100, 0x10FFFD,
    ]

    @Test(arguments: doing)
    func `control, format and invisible characters are escaped in every form`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let text = "a\(String(scalar))b"
        for form in [ShownText.Form.plain, .quoted] {
            #expect(Self.shown(text, as: form) == "a\\u{\(String(value, radix: 16, uppercase: true))}b")
        }
        let json = Self.shown(text, as: .json)
        #expect(json.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(json)")
        let read = try JSONSerialization.jsonObject(with: Data("[\"\(json)\"]".utf8)) as? [String]
        #expect(read?.first?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    }

    @Test func `readable characters of any script are not escaped`() {
        let text = "24 °C, Äpfel, 数, नमस्ते, e\u{301}, 🍏"
        for form in [ShownText.Form.plain, .quoted, .json] { #expect(Self.shown(text, as: form) == text) }
        #expect(Self.shown(#"a"b\c"#, as: .plain) == #"a"b\c"#)
        for form in [ShownText.Form.quoted, .json] { #expect(Self.shown(#"a"b\c"#, as: form) == #"a\"b\\c"#) }
        #expect(Self.shown("äöü", as: .plain, most: 4) == "äö…")
    }
}
