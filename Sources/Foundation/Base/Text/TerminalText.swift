// Texts as a terminal shows them: without what would control it, and by the columns they take.

/// A text for a terminal.
package struct TerminalText: Hashable, Sendable {
    package private(set) var text = ""
    /// The columns that it takes.
    package private(set) var columns = 0

    /// Leaves out control characters, which could move the cursor or change the terminal. A tab or a break of lines is a blank.
    package init(_ text: String) {
        let hasControls = text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
        self.text = hasControls ? Self.withoutControls(text) : text
        var count = ColumnCount()
        for scalar in self.text.unicodeScalars { count.add(scalar) }
        columns = count.columns
    }

    /// Creates the beginning of a text, with an ellipsis if it has more bytes: no more are read.
    package init(_ text: String, mostBytes: Int) {
        let start = text.prefix(bytes: mostBytes)
        self.init(String(start))
        guard start.endIndex < text.endIndex else { return }
        self.text += "…"
        columns += 1
    }

    private static func withoutControls(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where last == "\r": break
            case "\t", "\n", "\r": shown.append(" ")
            case _ where ControlCharacters.isBreak(scalar.value): shown.append(" ")
            default: if !ControlCharacters.contain(scalar.value) { shown.append(scalar) }
            }
            last = scalar
        }
        return String(shown)
    }

    /// Creates the beginning of a text that fits into some columns, with an ellipsis if something is missing. It is cut by bytes
    /// before its scalars are read: a character may have any number of marks, and text without width would never be cut.
    package init(_ text: some RandomAccessCollection<UInt8>, fittedTo most: Int) {
        let limit = max(most * Self.bytesPerColumn, Self.leastBytes)
        // A scalar more than the limit shows that something is missing.
        let start = String(decoding: text.prefix(limit + 4), as: UTF8.self)
        self = TerminalText(start, mostBytes: limit).fitted(to: most)
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
        guard most > 0 else { return cut }
        let scalars = text.unicodeScalars
        var (end, place) = (scalars.startIndex, scalars.startIndex)
        var count = ColumnCount()
        while place < scalars.endIndex {
            // A scalar that continues a character is cut off with it.
            let before = count.columns
            if count.add(scalars[place]), before < most { (end, cut.columns) = (place, before) }
            guard count.columns <= most else { break }
            scalars.formIndex(after: &place)
        }
        cut.text = String(scalars.prefix(upTo: end)) + "…"
        cut.columns += 1
        return cut
    }

    /// Returns the text with spaces behind it, up to some columns.
    package func padded(to least: Int) -> String { text + String(repeating: " ", count: max(0, least - columns)) }

    /// Returns the columns of a scalar by itself.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        // What most texts have needs no table of properties.
        switch scalar.value {
        case 0x00..<0x300, 0x370...0x482: return 1
        case 0x300...0x36F: return 0
        case 0x3400...0x9FFF, 0xAC00...0xD7A3: return 2
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        // The Arabic signs around numbers are visible.
        case .format: return (0x600...0x605).contains(scalar.value) ? 1 : 0
        default: break
        }
        let isSkinTone = (0x1F3FB...0x1F3FF).contains(scalar.value)
        return isSkinTone ? 0 : isOfFlag(scalar) ? 1 : isWide(scalar) ? 2 : 1
    }

    /// Two of them are a flag.
    fileprivate static func isOfFlag(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

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

/// The columns of scalars, one after the other: terminals add them up, but for those that are joined to an emoji.
private struct ColumnCount {
    private(set) var columns = 0
    private var last: Unicode.Scalar = "\0"
    /// Whether the last one began a flag.
    private var isInFlag = false

    /// - Returns: Whether it begins a character, so that a text may be cut before it.
    @discardableResult
    mutating func add(_ scalar: Unicode.Scalar) -> Bool {
        let own = TerminalText.columns(of: scalar)
        defer { last = scalar }
        if own == 0 { return false }
        let isJoined = last == "\u{200D}" && scalar.value >= 0x2000 && scalar.properties.isEmoji
        if !isJoined { columns += own }
        let endsFlag = isInFlag && TerminalText.isOfFlag(scalar)
        isInFlag = !endsFlag && TerminalText.isOfFlag(scalar)
        return !isJoined && !endsFlag && !continuesSyllable(scalar)
    }

    /// Whether a sign follows the letters of an Indic syllable, or a Hangul one is spelled by its letters.
    private func continuesSyllable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x900: false
        // Thai and Lao `am`, which is a letter, and vowels and finals of Hangul.
        case 0xE33, 0xEB3, 0x1160...0x11FF: true
        case 0x3000...0x9FFF, 0xAC00...0xD7A3: false
        default: scalar.properties.generalCategory == .spacingMark
        }
    }
}
