// Finds the numbers in a label by the rules of the API: no exponents, hex or words.

/// A number found in a text.
struct WrittenNumber {
    /// Its bytes, including its sign, and any symbol or parentheses that the sign encloses.
    let range: Range<Int>
    /// Nil if it has more digits than an exact decimal.
    let value: ExactDecimal?
    let style: WrittenStyle
}

/// Iterates over the numbers in a text.
struct NumberScanner: IteratorProtocol, Sequence {
    private let text: TextScalars
    private let format: FormatAffixes?
    private let isRightToLeft: Bool
    private var position = 0

    /// - Parameter format: What the text's format writes; nil if it has none.
    init(_ text: String, format: FormatAffixes? = nil) {
        self.text = TextScalars(text)
        self.format = format
        isRightToLeft = self.text.isRightToLeft
    }

    /// Returns the next number, from left to right.
    mutating func next() -> WrittenNumber? {
        while position < text.count {
            let start = startsWithPoint(position) ? position + 1 : position
            guard text.digit(start) != nil else {
                position += 1
                continue
            }
            let end = endOfRun(start)
            guard !text.isCombining(end) else {
                // A keycap, or digits with an accent.
                position = end
                continue
            }
            if start > position, let own = format?.match(around: start..<end, in: text), own.range.contains(position) {
                // The point is the format's: `B/.5`.
                position = start
            }
            let clock = start == position ? WrittenClock(text, start) : nil
            let digits =
                clock.map { WrittenDigits($0) }
                ?? WrittenDigits(
                    text, start, upTo: endOfScript(start), hasPoint: start > position, by: format?.separators)
            let surroundings = NumberSurroundings(
                text, around: digits.range, isRightToLeft: isRightToLeft, format: format)
            position = surroundings.range.upperBound
            let value = digits.value(in: text, isNegative: surroundings.isNegative)
            return WrittenNumber(
                range: text.offsets(surroundings.range),
                value: surroundings.written.map { value?.shifted(by: $0.shift) } ?? value,
                style: digits.style(in: text, within: surroundings))
        }
        return nil
    }

    /// Returns whether a number starts with its decimal sign, as in `.5 l`: before a digit, and not after a digit, a letter or
    /// another decimal sign. A minus or plus may precede it, as in `-.5`.
    private func startsWithPoint(_ index: Int) -> Bool {
        guard let point = text[index], NumberSigns.isDecimal(point), text.digit(index + 1) != nil else { return false }
        let isComma = NumberSigns.isComma(point) && point != format?.separators?.decimal
        // `,5,7` is a list: with the zero that a comma requires, `0,5,7` would be another one.
        if isComma, isList(index) { return false }
        guard index > 0 else { return true }
        // After words and closing brackets, a comma separates them from the number.
        if isComma {
            return text.isSpace(index - 1) || text.isMinus(index - 1) || text.isPlus(index - 1)
                || text.isCurrencySymbol(index - 1) || (text[index - 1].map(Self.introductions.contains) ?? false)
        }
        return text.digit(index - 1) == nil && !text.isLetter(index - 1) && !text.isCombining(index - 1)
            && !(text[index - 1].map(NumberSigns.isDecimal) ?? false)
    }

    /// Returns whether a comma and digits are followed by a further comma and digits.
    private func isList(_ comma: Int) -> Bool {
        let end = endOfRun(comma + 1)
        return text[end].map(NumberSigns.isComma) ?? false && text.digit(end + 1) != nil
    }

    /// Characters that may precede a number starting with a comma.
    private static let introductions: Set<Unicode.Scalar> = [
        "(", "[", ":", "=", "~", "\u{2248}", "\u{B1}", "<", ">", "/",
    ]

    /// Returns the position after the last digit of the first one's script.
    private func endOfScript(_ start: Int) -> Int {
        let zero = text.zero(start)
        var end = start
        while text.zero(end) == zero { end += 1 }
        return end
    }

    private func endOfRun(_ start: Int) -> Int {
        var end = start
        while text.digit(end) != nil { end += 1 }
        return end
    }
}
