// Texts on a terminal: without control characters, and as wide as there is room.

/// Makes texts of others fit for a terminal.
enum ShownText {
    /// Returns a text in one line. What would control the terminal or break the line is replaced.
    static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: safe.append("\u{FFFD}")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }

    /// How many columns a text takes on a terminal.
    static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

    /// Returns as much of a text as has room, with `…` at the end of what was cut.
    static func fitted(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        var (fitted, used) = ("", 0)
        for character in text {
            used += width(character)
            guard used < columns else { break }
            fitted.append(character)
        }
        return columns > 0 ? fitted + "…" : ""
    }

    /// The columns of a character: two for East Asian wide ones (UAX #11) and emoji, none for marks.
    private static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.contains(where: { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }) { return 2 }
        return scalars.map(width).max() ?? 0
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
