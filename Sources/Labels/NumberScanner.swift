// Finds the number in a label by the rules of the contract.

/// A number found in text.
struct ScannedNumber {
    /// Where it stands, sign included, in UTF-8 offsets.
    var range: Range<Int>
    var value: ExactDecimal
    /// `,` stands between its groups of three digits.
    var isGrouped: Bool
}

enum NumberScanner {
    /// The number with an index among the label's numbers; 0 is the first.
    static func number(_ index: Int, in text: String) -> ScannedNumber? {
        let scalars = Array(text.unicodeScalars)
        var offsets: [Int] = []
        var offset = 0
        for scalar in scalars {
            offsets.append(offset)
            offset += UTF8.width(scalar)
        }
        offsets.append(offset)
        var position = 0
        var found = 0
        while position < scalars.count {
            guard let run = Run(scalars, at: position) else {
                position += 1
                continue
            }
            if found == index, let value = run.value {
                return ScannedNumber(
                    range: offsets[run.start]..<offsets[run.end], value: value, isGrouped: run.isGrouped)
            }
            found += 1
            position = run.end
        }
        return nil
    }

    /// The value of a Unicode decimal digit of any script.
    static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue else {
            return nil
        }
        return UInt8(value)
    }
}

/// One run of digits with its point, groups and sign.
private struct Run {
    var start: Int
    var end: Int
    var isGrouped = false
    var text: [UInt8] = []

    init?(_ scalars: [Unicode.Scalar], at position: Int) {
        guard NumberScanner.digit(scalars[position]) != nil else { return nil }
        start = position
        end = position
        readWhole(scalars)
        if end + 1 < scalars.count, scalars[end] == ".", NumberScanner.digit(scalars[end + 1]) != nil {
            text.append(UInt8(ascii: "."))
            end += 1
            readDigits(scalars)
        }
        takeSign(scalars)
    }

    var value: ExactDecimal? { ExactDecimal(plain: text[...]) }

    private mutating func readDigits(_ scalars: [Unicode.Scalar]) {
        while end < scalars.count, let digit = NumberScanner.digit(scalars[end]) {
            text.append(UInt8(ascii: "0") + digit)
            end += 1
        }
    }

    private mutating func readWhole(_ scalars: [Unicode.Scalar]) {
        readDigits(scalars)
        guard end - start <= 3 else { return }
        while end < scalars.count, scalars[end] == ",", groupFollows(scalars, at: end + 1) {
            isGrouped = true
            end += 1
            readDigits(scalars)
        }
    }

    /// Exactly three digits stand here.
    private func groupFollows(_ scalars: [Unicode.Scalar], at position: Int) -> Bool {
        guard position + 3 <= scalars.count else { return false }
        let isGroup = (position..<(position + 3)).allSatisfy { NumberScanner.digit(scalars[$0]) != nil }
        return isGroup && (position + 3 == scalars.count || NumberScanner.digit(scalars[position + 3]) == nil)
    }

    /// A minus belongs to the number unless a letter or digit stands right before it.
    private mutating func takeSign(_ scalars: [Unicode.Scalar]) {
        guard start > 0, scalars[start - 1] == "-" || scalars[start - 1] == "\u{2212}" else { return }
        if start > 1 {
            let before = scalars[start - 2]
            guard !before.properties.isAlphabetic, NumberScanner.digit(before) == nil else { return }
        }
        start -= 1
        text.insert(UInt8(ascii: "-"), at: 0)
    }
}
