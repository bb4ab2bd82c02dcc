// The characters that numbers are written with besides digits, wherever in the world.

/// Which character can be what in a number.
enum NumberSigns {
    /// Hyphen-minus, minus, the en dash that stands for it in print, and the full-width hyphen.
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

    /// Stands between two digits of one number, perhaps.
    static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { isDecimal(scalar) || isGroup(scalar) }

    /// Stands before decimals, perhaps.
    static func isDecimal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", ",", "\u{66B}", "\u{FF0E}", "\u{FF0C}": true
        default: false
        }
    }

    /// A comma of either width.
    static func isComma(_ scalar: Unicode.Scalar) -> Bool { scalar == "," || scalar == "\u{FF0C}" }

    /// Stands between groups of digits, perhaps.
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

    /// As Switzerland groups: typographic or typed.
    static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\u{2019}" }

    /// Two that mean the same between groups.
    static func isSameGroup(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
        left == right || isSpace(left) && isSpace(right) || isApostrophe(left) && isApostrophe(right)
    }

    /// Whether a letter is one of Hebrew, Arabic or the scripts between and beside them (the blocks whose letters Unicode
    /// gives the classes R and AL).
    static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x65F, 0x66D...0x6EF, 0x6FA...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}

/// The separators that a format writes, by which labels with that format are read.
package struct NumberSeparators: Hashable, Sendable {
    let decimal: Unicode.Scalar
    /// Nil where there is none.
    let group: Unicode.Scalar?

    /// Those of a plan; nil where it has none to go by.
    package init?(_ plan: NumberPlan) {
        func first(_ bytes: [UInt8]) -> Unicode.Scalar? {
            String(decoding: bytes, as: UTF8.self).unicodeScalars.first
        }
        guard let decimal = first(plan.decimalSeparator) else { return nil }
        self.decimal = decimal
        group = first(plan.groupSeparator)
    }
}
