// Texts as a terminal shows them: without what would control it, and by the columns they take.

/// A text for a terminal.
package struct TerminalText: Hashable, Sendable {
    package private(set) var text = ""
    /// The columns that it takes.
    package private(set) var columns = 0

    /// Leaves out control characters, which could move the cursor or change the terminal. A tab or a break of lines is a blank.
    package init(_ text: String) {
        for character in text {
            let shown =
                character.isNewline || character == "\t"
                ? " " : String(String.UnicodeScalarView(character.unicodeScalars.filter(Self.isShown)))
            self.text += shown
            columns += Self.columns(of: shown)
        }
    }

    /// Creates the beginning of a text that fits into some columns, with an ellipsis if something is missing. It is cut by bytes
    /// before it is walked: a character may have any number of marks, and what takes no column would never be cut.
    package init(_ text: some RandomAccessCollection<UInt8>, fittedTo most: Int) {
        let limit = max(most * Self.bytesPerColumn, Self.leastBytes)
        guard text.count > limit else {
            self = TerminalText(String(decoding: text, as: UTF8.self)).fitted(to: most)
            return
        }
        var end = text.index(text.startIndex, offsetBy: limit)
        // Not within a scalar.
        while end > text.startIndex, text[end] & 0xC0 == 0x80 { text.formIndex(before: &end) }
        self = TerminalText(String(decoding: text[..<end], as: UTF8.self)).shortened(to: most)
    }

    /// More than any script needs: a letter of three bytes with a mark or two.
    private static let bytesPerColumn = 8
    /// Room for an emoji of a family, however narrow the place is.
    private static let leastBytes = 64

    /// Returns the text cut to some columns, with an ellipsis if something is missing.
    package func fitted(to most: Int) -> TerminalText { columns > most ? shortened(to: most) : self }

    /// Returns as much of the text as fits before an ellipsis.
    private func shortened(to most: Int) -> TerminalText {
        var cut = TerminalText("")
        for character in text {
            let width = Self.columns(of: String(character))
            guard cut.columns + width < most else { break }
            cut.text.append(character)
            cut.columns += width
        }
        guard most > 0 else { return cut }
        cut.text += "…"
        cut.columns += 1
        return cut
    }

    /// Returns the text with spaces behind it, up to some columns.
    package func padded(to least: Int) -> String { text + String(repeating: " ", count: max(0, least - columns)) }

    /// Whether a scalar is neither a control nor breaks or reverses the line beyond its own text.
    static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // Overrides show other text than there is.
        case .format: scalar != "\u{202D}" && scalar != "\u{202E}"
        default: true
        }
    }

    /// Returns the columns of a grapheme cluster, or of what controls have left of one: terminals add up its scalars, but for
    /// those that are joined to an emoji.
    private static func columns(of cluster: String) -> Int {
        var columns = 0
        var isJoined = false
        for scalar in cluster.unicodeScalars {
            if !isJoined { columns += self.columns(of: scalar) }
            isJoined = scalar == "\u{200D}"
        }
        return columns
    }

    /// Returns the columns of a scalar by itself.
    static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        // Soft hyphens, and the Arabic signs around numbers, are visible.
        case .format: return scalar == "\u{AD}" || (0x600...0x605).contains(scalar.value) ? 1 : 0
        default: break
        }
        let isSkinTone = (0x1F3FB...0x1F3FF).contains(scalar.value)
        // Two of them are a flag.
        let isOfFlag = (0x1F1E6...0x1F1FF).contains(scalar.value)
        return isSkinTone ? 0 : isOfFlag ? 1 : isWide(scalar) ? 2 : 1
    }

    /// Whether a scalar is wide or fullwidth (Unicode Standard Annex 11), by blocks, or an emoji.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
