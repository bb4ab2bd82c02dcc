// A bar as text, in steps of an eighth of a column.

import Base

/// A bar of a number of columns.
package struct TextBar: Hashable, Sendable {
    package let columns: Int
    /// Fills the columns that are left.
    private let rest: String

    /// The bar of a label. Its rest is shaded, since most places that show labels drop blanks at their end.
    package static let ofLabels = TextBar(columns: 10, rest: "░")

    package init(columns: Int, rest: String = " ") { (self.columns, self.rest) = (columns, rest) }

    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Returns the bar of a fraction of 0 to 1, in exactly its columns. It is only full at 1, and only empty at 0.
    package func text(of fraction: Double) -> String {
        let most = columns * 8
        let exact = (min(max(fraction, 0), 1) * Double(most)).rounded()
        let filled = fraction <= 0 ? 0 : fraction >= 1 ? most : min(max(Int(saturating: exact), 1), most - 1)
        let text = String(repeating: "█", count: filled / 8) + Self.eighths[filled % 8]
        return text + String(repeating: rest, count: columns - (filled + 7) / 8)
    }

    /// Whether a text contains a bar.
    package static func isIn(_ text: String) -> Bool {
        text.unicodeScalars.contains { ("\u{2588}"..."\u{2591}").contains($0) && $0 != "\u{2590}" }
    }
}
