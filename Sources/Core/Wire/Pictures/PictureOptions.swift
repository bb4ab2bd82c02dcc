// How a number looks as a picture.

import Base

/// The options of a picture.
package struct PictureOptions: Hashable, Sendable {
    /// Its form.
    package enum Style: String, CaseIterable, Sendable {
        case badge, bar, pie, ring

        /// Whether it shows a fraction, which only a progress has.
        package var needsFraction: Bool { self != .badge }
    }

    /// Its colours of text and background.
    package enum Theme: String, CaseIterable, Sendable {
        /// As the page's reader prefers.
        case auto
        case light, dark
    }

    package var style: Style
    package var theme = Theme.auto
    /// A colour's name, or `#` and hexadecimal digits; nil for the usual one.
    package var color: String?
    /// The text on the left of a badge; nil for the resource's id.
    package var label: String?
    /// Pixels; nil for those of the style. A badge is as wide as its texts.
    package var width: Int?

    package init(style: Style) { self.style = style }

    package static let widths = 16...2_000
    /// The most characters of a label.
    package static let longestLabel = 100

    /// Returns a colour as CSS has it: a name, or 3, 4, 6 or 8 hexadecimal digits with or without `#`. Nil for any other text.
    package static func color(_ text: String) -> String? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        if [3, 4, 6, 8].contains(digits.utf8.count), digits.utf8.allSatisfy({ isHexadecimal($0) }) {
            return "#\(digits)"
        }
        let isName = (3...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
        return isName ? text.lowercased() : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
