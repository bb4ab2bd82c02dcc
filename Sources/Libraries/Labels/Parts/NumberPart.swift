// A piece of a label's text with its meaning, named as in Intl's formatToParts.

/// A piece of a text that shows a number. All pieces in order are the text, byte for byte.
public struct NumberPart: Hashable, Sendable {
    /// The meaning of a piece.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The label's own words, spaces, direction marks, and accounting parentheses.
        case literal
        /// A sign of the number.
        case minusSign, plusSign, percentSign
        /// `$`, `EUR`, `US dollars`
        case currency
        /// `km/h`
        case unit
        /// The word of compact notation: `K`, `Mio.`
        case compact
        /// Digits before the point, up to the next group separator.
        case integer
        /// The separator between two groups of digits.
        case group
        /// The separator before the decimals.
        case decimal
        /// The digits after the point.
        case fraction
        /// `E`, `×10^`
        case exponentSeparator
        /// The sign of the exponent.
        case exponentMinusSign
        /// The digits of the exponent.
        case exponentInteger
    }

    /// Its meaning.
    public let kind: Kind
    /// The piece of the text; not empty.
    public let text: String

    /// Creates a piece of a text.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

extension [NumberPart] {
    /// Adds a piece unless it is empty; adjacent literals are merged.
    mutating func append(_ kind: NumberPart.Kind, _ text: String) {
        guard !text.isEmpty else { return }
        if kind == .literal, let last, last.kind == .literal {
            self[count - 1] = NumberPart(.literal, last.text + text)
        } else {
            append(NumberPart(kind, text))
        }
    }

    /// Appends the pieces as JSON: `[{"type":"integer","value":"5"}]`.
    package func appendJSON(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, part) in enumerated() {
            if index > 0 { bytes.append(ASCII.comma) }
            bytes.append(contentsOf: #"{"type":""#.utf8)
            bytes.append(contentsOf: part.kind.rawValue.utf8)
            bytes.append(contentsOf: #"","value":""#.utf8)
            JSONText.appendEscaped(part.text, to: &bytes)
            bytes.append(contentsOf: #""}"#.utf8)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
