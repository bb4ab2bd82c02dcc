// A terminal of a few lines: what the escape sequences of a screen leave on it.

import Testing

struct Terminal {
    private(set) var lines: [String] = [""]
    private(set) var row = 0

    /// Shows bytes; anything but the sequences that a screen may send is an error.
    mutating func show(_ bytes: [UInt8]) throws {
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let first = rest.unicodeScalars.first {
            if rest.hasPrefix("\r\n") {
                rest = rest.dropFirst()
                row += 1
                while lines.count <= row { lines.append("") }
            } else if first == "\r" {
                rest = rest.dropFirst()
            } else if let match = rest.prefixMatch(of: /\u{1B}\[\?7[lh]/) {
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: /\u{1B}\[([0-9]*)([ABJKm])/) {
                rest = rest[match.range.upperBound...]
                let count = Int(match.1) ?? 1
                if match.2 == "A" { row -= count }
                if match.2 == "B" { row += count }
                if match.2 == "J" { lines.removeSubrange((row + 1)...) }
                if match.2 == "J" || match.2 == "K" { lines[row] = "" }
                try #require((0..<lines.count).contains(row))
            } else {
                let text = rest.prefix { $0 != "\r" && $0 != "\u{1B}" && $0 != "\r\n" }
                try #require(!text.isEmpty, "\(Array(rest.utf8.prefix(8)))")
                lines[row] += text
                rest = rest.dropFirst(text.count)
            }
        }
    }
}
