// Random texts through everything that reads text: nothing traps, and what a label doesn't move stays byte for byte.

import Labels
import TestSupport
import Testing

struct LabelFuzzTests {
    private static let alphabet: [String] = [
        "0", "1", "9", ".", ",", "-", "\u{2212}", "٣", "²", "a", "é", "{", "}", "{n}", "{n, plural, ", "other {",
        "=0 {", "#",
        "'", "{percent}", " ", "\n", "\"", "\\", "\u{2028}", "👨‍👩‍👧", "3️⃣", "\u{0}", "1,234", "\u{301}",
    ]

    private static func texts(_ count: Int) -> [String] {
        var random = SeededRandom(seed: 99)
        return (0..<count).map { _ in
            (0..<Int.random(in: 0...14, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }
                .joined()
        }
    }

    @Test func `only a label's number changes, and the surrounding text stays byte for byte`() {
        var found = 0
        for text in Self.texts(4_000) {
            var label = TickerLabel(text)
            guard let number = label.number else { continue }
            found += 1
            label.plan = .plain(decimals: number.scale)
            let (prefix, suffix) = (label.prefix, label.suffix)
            #expect(Array(text.utf8).starts(with: prefix))
            #expect(Array(text.utf8.suffix(suffix.count)) == suffix)
            #expect(Array(label.text(of: number).utf8) == prefix + Array(number.description.utf8) + suffix)
        }
        #expect(found > 2_000)
    }

    @Test func `random templates and messages are parsed or refused without a trap`() {
        var accepted = 0
        for text in Self.texts(20_000) {
            if (try? ProgressLabel(parsing: text)) != nil { accepted += 1 }
            if (try? CountdownLabel(parsing: text)) != nil { accepted += 1 }
            if let label = try? TickerLabel(message: text, language: "ar") {
                accepted += 1
                var bytes: [UInt8] = []
                for value in [0, 1, 2.5, -3, 1e30, .nan] { label.escapedForJSON().append(value, to: &bytes) }
                #expect(!bytes.contains(0x0A))
            }
            _ = ExactDecimal(parsing: text)
            _ = ExactDecimal(jsonNumber: Array(text.utf8))
        }
        #expect((5_000..<50_000).contains(accepted))
    }
}
