// A text as Unicode scalars, classified for reading numbers.

/// A text's scalars by index; nil beyond both ends.
struct TextScalars {
    private struct Mark {
        let scalar: Unicode.Scalar
        /// The position of its first byte.
        let offset: Int
        /// Its value as a decimal digit of any script.
        let digit: UInt8?
    }

    private let marks: [Mark]
    private let end: Int

    init(_ text: String) {
        var marks: [Mark] = []
        marks.reserveCapacity(text.utf8.count)
        var offset = 0
        for scalar in text.unicodeScalars {
            marks.append(Mark(scalar: scalar, offset: offset, digit: Self.digit(of: scalar)))
            offset += scalar.isASCII ? 1 : UTF8.width(scalar)
        }
        self.marks = marks
        end = offset
    }

    var count: Int { marks.count }

    subscript(index: Int) -> Unicode.Scalar? { index >= 0 && index < marks.count ? marks[index].scalar : nil }

    func digit(_ index: Int) -> UInt8? { index >= 0 && index < marks.count ? marks[index].digit : nil }

    /// Returns the zero of a digit's script.
    func zero(_ index: Int) -> UInt32? {
        guard let digit = digit(index), let scalar = self[index] else { return nil }
        return scalar.value - UInt32(digit)
    }

    /// Returns the position of a scalar's first byte in the text's UTF-8; beyond the end, the text's end.
    func offset(_ index: Int) -> Int { index < marks.count ? marks[max(0, index)].offset : end }

    func offsets(_ range: Range<Int>) -> Range<Int> { offset(range.lowerBound)..<offset(range.upperBound) }

    /// Returns whether this is a letter or a combining mark: in a decomposed `é-5`, a mark precedes the hyphen.
    func isLetter(_ index: Int) -> Bool {
        guard let scalar = self[index] else { return false }
        guard !scalar.isASCII else { return Self.isASCIILetter(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark:
            return true
        default:
            return false
        }
    }

    /// Returns whether this changes the character before it: an accent, a keycap, a variation selector.
    func isCombining(_ index: Int) -> Bool {
        guard let scalar = self[index], !scalar.isASCII else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }

    func isCurrencySymbol(_ index: Int) -> Bool {
        guard let scalar = self[index] else { return false }
        return scalar == "$" || !scalar.isASCII && scalar.properties.generalCategory == .currencySymbol
    }

    func isPercentSign(_ index: Int) -> Bool { self[index].map(NumberSigns.isPercent) ?? false }

    func isCapital(_ index: Int) -> Bool {
        guard let scalar = self[index] else { return false }
        return ("A"..."Z").contains(scalar)
    }

    func isSpace(_ index: Int) -> Bool { self[index].map(NumberSigns.isSpace) ?? false }
    func isMinus(_ index: Int) -> Bool { self[index].map(NumberSigns.isMinus) ?? false }
    func isPlus(_ index: Int) -> Bool { self[index].map(NumberSigns.isPlus) ?? false }

    func isDash(_ index: Int) -> Bool { isMinus(index) || isPlus(index) || self[index] == "±" }

    /// Returns whether the character here is joined to a dash beside it: `2020-2024`, `A-5`.
    func isJoint(_ index: Int) -> Bool { isLetter(index) || digit(index) != nil || isCombining(index) || isDash(index) }

    /// Whether the text's first strongly directed letter is right-to-left.
    var isRightToLeft: Bool {
        for mark in marks {
            if mark.scalar.isASCII {
                if Self.isASCIILetter(mark.scalar) { return false }
            } else if mark.scalar.properties.isAlphabetic {
                return NumberSigns.isRightToLeft(mark.scalar)
            }
        }
        return false
    }

    private static func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    /// Returns the value of a decimal digit (general category Nd); superscripts and fractions have none.
    private static func digit(of scalar: Unicode.Scalar) -> UInt8? {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            return ASCII.isDigit(byte) ? byte - ASCII.zero : nil
        }
        guard scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue else {
            return nil
        }
        return UInt8(value)
    }
}
