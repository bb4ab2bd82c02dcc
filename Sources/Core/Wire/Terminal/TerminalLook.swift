// How a terminal's lines look.

import Base
import Labels

/// How a stream looks on a terminal.
package struct TerminalLayout: Hashable, Sendable {
    /// The columns that a line may take.
    package var width = 80
    /// The lines of the terminal: topics beyond them are counted, not shown.
    package var height = 24
    package var hasColor = true
    /// Whether the terminal shows more than ASCII.
    package var isUnicode = true
    /// Whether each line begins with its resource's id: not on a stream of one resource.
    package var showsNames = true

    package init() {}

    package static let widths = 20...500
    /// A line of a topic, that of the hidden ones, and the cursor's.
    package static let heights = 3...500
}

/// How the line of a topic looks: the same on all terminals of a size whose names are equally long.
struct TerminalLook: Hashable {
    private let width: Int
    private let hasColor: Bool
    private let isUnicode: Bool
    /// The columns of names; 0 without.
    private let nameColumns: Int

    init(_ layout: TerminalLayout, nameColumns: Int) {
        (width, hasColor, isUnicode) = (layout.width, layout.hasColor, layout.isUnicode)
        self.nameColumns = nameColumns
    }

    private static let mostBarColumns = 40
    /// A narrower bar isn't worth a look.
    private static let leastBarColumns = 8
    /// The encoder's number in keys of frames' copies.
    private static let encoder: UInt64 = 3

    /// The key of a frame's copy with this look.
    var key: UInt64 {
        Self.encoder | UInt64(hasColor ? 1 : 0) << 8 | UInt64(isUnicode ? 1 : 0) << 9 | UInt64(clamping: width) << 16
            | UInt64(clamping: nameColumns) << 32
    }

    /// The look of a text.
    enum Style: String {
        case dim = "2"
        case moving = "36"
        case done = "32"
    }

    func styled(_ text: String, _ style: Style?) -> String {
        guard hasColor, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// Returns a text in one line, dimmed.
    func dimmed(_ text: String) -> [UInt8] { Self.unwrapped(styled(TerminalText(text).fitted(to: width).text, .dim)) }

    /// Returns the line of a topic.
    func line(of frame: TerminalFrame, isRemoved: Bool = false) -> [UInt8] {
        var line = ""
        var left = width
        if nameColumns > 0 {
            line += styled(frame.name.fitted(to: nameColumns).padded(to: nameColumns), .dim) + "  "
            left -= nameColumns + 2
        }
        guard !isRemoved else {
            return Self.unwrapped(line + styled(TerminalText("removed").fitted(to: left).text, .dim))
        }
        // A text that needs more than half of the line takes it from the bar.
        let columns = min(Self.mostBarColumns, left / 2, left - 3 - frame.text.columns)
        if let fraction = frame.fraction, columns >= Self.leastBarColumns, !frame.hasOwnBar {
            let bar = TextBar(columns: columns).text(of: fraction)
            let shown = isUnicode ? bar : String(bar.map { $0 == "█" ? "#" : "-" })
            let edges = isUnicode ? ("▕", "▏") : ("[", "]")
            line += edges.0 + styled(shown, fraction >= 1 ? .done : .moving) + edges.1 + " "
            left -= columns + 3
        }
        return Self.unwrapped(line + frame.text.fitted(to: left).text)
    }

    /// Returns a notification's line.
    func line(of notice: TerminalNotice) -> [UInt8] {
        if notice.isOfStream { return dimmed(notice.text) }
        return Self.unwrapped(TerminalText(notice.text, mostBytes: 4 * width).fitted(to: width).text)
    }

    /// Returns a line that replaces what stands in its place. Terminals disagree on the columns of some scripts, so a line that
    /// is too long is cut off by the terminal, not wrapped: all lines below would be in other places.
    static func unwrapped(_ content: String) -> [UInt8] { Array("\u{1B}[?7l\u{1B}[K\(content)\u{1B}[?7h".utf8) }

    /// Returns the columns that a line takes, without its escape sequences, each of which ends with a letter.
    static func columns(of line: [UInt8]) -> Int {
        let texts = line.split(separator: 0x1B).map { $0.dropFirst().drop { $0 < 0x41 }.dropFirst() }
        return TerminalText(String(decoding: texts.joined(), as: UTF8.self)).columns
    }
}
