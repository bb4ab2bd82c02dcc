// Client texts in lines for people, escaped so that they can do nothing but be read. The log and the audit trail use it.

/// Writes texts so that they end no line, move no cursor, hide nothing and don't change the direction of text.
package enum ShownText {
    /// The form of escapes, and what else is escaped.
    package enum Form: Sendable {
        /// `\u{1B}`.
        case plain
        /// The same in quotes, with `\"` and `\\`.
        case quoted
        /// The inside of a JSON string.
        case json
    }

    /// - Parameter most: The maximum bytes of the text; a longer one is cut and ends with `…`.
    package static func append(_ text: String, as form: Form, most: Int = .max, to line: inout [UInt8]) {
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= most else {
                line += "…".utf8
                return
            }
            switch (form, scalar) {
            case (.quoted, "\""), (.quoted, "\\"), (.json, "\""), (.json, "\\"):
                line.append(UInt8(ascii: "\\"))
                line.append(UInt8(ascii: scalar))
            case _ where isShown(scalar): line += String(Character(scalar)).utf8
            case (.json, _): for unit in UTF16.encode(scalar) ?? .init() { appendJSON(unit, to: &line) }
            default: line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8
            }
        }
    }

    private static func appendJSON(_ unit: UInt16, to line: inout [UInt8]) {
        let digits = String(unit, radix: 16)
        line += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
    }

    /// Whether a scalar is visible and has no other effect. Excludes Unicode's controls, formats (directions, tags, zero
    /// widths), separators except the space, and scalars that fonts show as nothing.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
            .unassigned:
            return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
