// Texts that a terminal may show, without what would control it.

import Base
import Testing

@Suite struct ControlCharacterTests {
    @Test(arguments: [
        ("\u{1B}[2J\u{1B}]0;title\u{7}ok", "[2J]0;titleok"), ("\u{9B}31mred", "31mred"), ("a\u{0}b\u{7F}c", "abc"),
        ("a\tb\r\nc\nd", "a\tb\r\nc\nd"), ("a\u{85}b\u{2028}c\u{2029}d\u{B}e\u{C}f", "a b c d e f"),
        ("\u{202E}nirts\u{202D}", "nirts"), ("12 €, ½ ∆ é 残 👍🏽", "12 €, ½ ∆ é 残 👍🏽"),
        ("\u{200F}\u{AD}", "\u{200F}\u{AD}"),
        ("", ""),
    ])
    func `control and bidirectional override characters are stripped`(text: String, shown: String) {
        #expect(String(decoding: ControlCharacters.stripped(Array(text.utf8)), as: UTF8.self) == shown)
        #expect(ControlCharacters.areIn(Array(text.utf8)) == (text != shown))
        var behind = Array("\u{1B}".utf8) + text.utf8
        ControlCharacters.strip(&behind, from: 1)
        #expect(String(decoding: behind, as: UTF8.self) == "\u{1B}" + shown)
    }

    @Test func `bytes that end within a character are kept`() {
        for bytes: [UInt8] in [[0xC2], [0xE2], [0xE2, 0x80]] { #expect(ControlCharacters.stripped(bytes) == bytes) }
    }

    @Test func `a terminal text strips the same characters as a control filter`() {
        var others: [Unicode.Scalar] = []
        for scalar in (UInt32(0)..<0x3000).compactMap({ Unicode.Scalar($0) }) {
            // A terminal's line has neither tabs nor breaks.
            if scalar == "\t" || scalar == "\n" || scalar == "\r" { continue }
            let text = "a\(Character(scalar))b"
            let stripped = String(decoding: ControlCharacters.stripped(Array(text.utf8)), as: UTF8.self)
            if Array(TerminalText(text).text.utf8) != Array(stripped.utf8) { others.append(scalar) }
        }
        #expect(others.isEmpty)
    }
}
