// Finds the numbers in a label, by the rules of the contract and nothing else: no exponents, hex or words.
// It works on Unicode scalars, since what is a letter or a digit is a question about scalars.

/// A number found in a text.
struct ScannedNumber {
    /// The bytes it takes up, sign included.
    let range: Range<Int>
    let value: ExactDecimal
    /// True where `,` separates groups of three digits.
    let isGrouped: Bool
}

/// Walks through a text from number to number.
struct NumberScanner: IteratorProtocol, Sequence {
    private struct Mark {
        let scalar: Unicode.Scalar
        /// Where its first byte is.
        let offset: Int
        /// Its value as a decimal digit of any script.
        let digit: UInt8?
    }

    private let marks: [Mark]
    private let end: Int
    private var position = 0

    init(_ text: String) {
        var marks: [Mark] = []
        marks.reserveCapacity(text.utf8.count)
        var offset = 0
        for scalar in text.unicodeScalars {
            marks.append(Mark(scalar: scalar, offset: offset, digit: Self.digit(of: scalar)))
            offset += UTF8.width(scalar)
        }
        self.marks = marks
        end = offset
    }

    /// The next number, from left to right. A run of more digits than an exact decimal holds counts as text.
    mutating func next() -> ScannedNumber? {
        while position < marks.count {
            guard marks[position].digit != nil else {
                position += 1
                continue
            }
            if let number = scanNumber() { return number }
        }
        return nil
    }

    private mutating func scanNumber() -> ScannedNumber? {
        let sign = signPosition(before: position)
        let first = position
        let isGrouped = skipIntegers()
        if scalar(position) == ".", digit(position + 1) != nil {
            position += 1
            skipDigits()
        }
        let start = sign ?? first
        let range = offset(start)..<offset(position)
        guard let value = ExactDecimal(parsing: plainText(first..<position, isNegative: sign != nil)) else {
            return nil
        }
        return ScannedNumber(range: range, value: value, isGrouped: isGrouped)
    }

    /// Skips the digits before the point, and tells whether they are grouped.
    private mutating func skipIntegers() -> Bool {
        let first = position
        skipDigits()
        guard position - first <= 3 else { return false }
        var isGrouped = false
        while scalar(position) == ",", hasGroup(after: position) {
            position += 4
            isGrouped = true
        }
        return isGrouped
    }

    /// True where exactly three digits follow.
    private func hasGroup(after comma: Int) -> Bool {
        (1...3).allSatisfy { digit(comma + $0) != nil } && digit(comma + 4) == nil
    }

    private mutating func skipDigits() {
        while digit(position) != nil { position += 1 }
    }

    /// `-` or U+2212 right before, unless a letter or a digit stands before that (`2020-2024`, `A-5`).
    private func signPosition(before first: Int) -> Int? {
        guard first > 0, ["-", "\u{2212}"].contains(marks[first - 1].scalar) else { return nil }
        guard first > 1 else { return first - 1 }
        let before = marks[first - 2]
        return before.digit != nil || Self.isLetter(before.scalar) ? nil : first - 1
    }

    private func plainText(_ run: Range<Int>, isNegative: Bool) -> [UInt8] {
        var bytes: [UInt8] = isNegative ? [ASCII.minus] : []
        for mark in marks[run] where mark.scalar != "," {
            bytes.append(mark.digit.map { ASCII.zero + $0 } ?? ASCII.point)
        }
        return bytes
    }

    private func digit(_ index: Int) -> UInt8? { index < marks.count ? marks[index].digit : nil }
    private func scalar(_ index: Int) -> Unicode.Scalar? { index < marks.count ? marks[index].scalar : nil }
    private func offset(_ index: Int) -> Int { index < marks.count ? marks[index].offset : end }

    /// The value of a decimal digit (general category Nd); superscripts and fractions are none.
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

    /// Letters, and the marks that combine with them: in a decomposed `é-5` the mark stands before the hyphen.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark:
            true
        default:
            false
        }
    }
}
