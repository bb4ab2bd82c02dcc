// The characters in numbers besides digits, of all languages.

/// Classifies characters by their role in a number.
enum NumberSigns {
    /// Hyphen-minus, minus, the en dash that replaces it in print, and the full-width hyphen.
    static func isMinus(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "\u{2212}", "\u{2013}", "\u{FF0D}": true
        default: false
        }
    }

    /// Plus, and the full-width one.
    static func isPlus(_ scalar: Unicode.Scalar) -> Bool { scalar == "+" || scalar == "\u{FF0B}" }

    /// Percent sign, the Arabic and the full-width one.
    static func isPercent(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "%" || scalar == "\u{66A}" || scalar == "\u{FF05}"
    }

    /// Whether it can separate two digits of one number.
    static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { isDecimal(scalar) || isGroup(scalar) }

    /// Whether it can precede decimals.
    static func isDecimal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", ",", "\u{66B}", "\u{FF0E}", "\u{FF0C}": true
        default: false
        }
    }

    /// A comma of either width.
    static func isComma(_ scalar: Unicode.Scalar) -> Bool { scalar == "," || scalar == "\u{FF0C}" }

    /// Whether it can separate groups of digits.
    static func isGroup(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", ",", "\u{66C}", "\u{FF0E}", "\u{FF0C}": true
        default: isSpace(scalar) || isApostrophe(scalar)
        }
    }

    /// Space, no-break space, narrow no-break space, thin space, figure space.
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\u{A0}", "\u{202F}", "\u{2009}", "\u{2007}": true
        default: false
        }
    }

    /// A space or a direction mark.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool { isSpace(scalar) || isDirectionMark(scalar) }

    /// The marks that keep signs and symbols on their side of the digits in right-to-left text.
    static func isDirectionMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200E}" || scalar == "\u{200F}" || scalar == "\u{61C}"
    }

    /// Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean don't separate words, or not from their particles.
    static func isWrittenTogether(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7AF: true
        default: false
        }
    }

    /// Swiss group separators: typographic or typed.
    static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\u{2019}" }

    /// Whether two separators are equivalent between groups.
    static func isSameGroup(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
        left == right || isSpace(left) && isSpace(right) || isApostrophe(left) && isApostrophe(right)
    }

    /// Whether a letter belongs to Hebrew, Arabic or a neighbouring script (the blocks whose letters have Unicode's classes
    /// R and AL).
    static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x65F, 0x66D...0x6EF, 0x6FA...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}

/// The separators of a format, used to read labels with that format.
package struct NumberSeparators: Hashable, Sendable {
    let decimal: Unicode.Scalar
    /// Nil if there is none.
    let group: Unicode.Scalar?
    /// Digits in the group next to the decimal sign.
    let groupSize: Int

    /// Creates the separators of a plan; nil if it has none.
    package init?(_ plan: NumberPlan) {
        func first(_ bytes: [UInt8]) -> Unicode.Scalar? {
            String(decoding: bytes, as: UTF8.self).unicodeScalars.first
        }
        guard let decimal = first(plan.decimalSeparator) else { return nil }
        self.decimal = decimal
        let group = first(plan.groupSeparator)
        self.group = group == decimal ? nil : group
        groupSize = plan.grouping.primary
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool { scalar == decimal || scalar == group }
}
