// One piece of a label's text with what it stands for, under the names of Intl's formatToParts.

/// A piece of a text that shows a number. All of them in their order are the text, byte for byte.
public struct NumberPart: Hashable, Sendable {
    /// What a piece stands for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The label's own words, spaces, marks of direction, an account's parentheses.
        case literal
        /// A sign of the number.
        case minusSign, plusSign, percentSign
        /// `$`, `EUR`, `US dollars`
        case currency
        /// `km/h`
        case unit
        /// The word of compact notation: `K`, `Mio.`
        case compact
        /// Digits before the point, as far as the next group separator.
        case integer
        /// What stands between two groups of digits.
        case group
        /// What stands before the decimals.
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

    /// What it stands for.
    public let kind: Kind
    /// The piece of the text; not empty.
    public let text: String

    /// A piece of a text.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

extension [NumberPart] {
    /// Adds a piece, if there is anything in it; words next to each other are one.
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
