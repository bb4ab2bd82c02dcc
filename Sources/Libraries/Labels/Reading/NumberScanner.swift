// Finds the numbers in a label, by the rules of the contract and nothing else: no exponents, hex or words.

/// A number found in a text.
struct WrittenNumber {
    /// The bytes it takes up, with its sign, and the symbol or the parentheses that its sign stands around.
    let range: Range<Int>
    /// Nil where it has more digits than an exact decimal holds.
    let value: ExactDecimal?
    let style: WrittenStyle
}

/// Walks through a text from number to number.
struct NumberScanner: IteratorProtocol, Sequence {
    private let text: TextScalars
    private let separators: NumberSeparators?
    private let isRightToLeft: Bool
    private var position = 0

    /// - Parameter separators: Those of the format that the text was written by; nil where it has none.
    init(_ text: String, separators: NumberSeparators? = nil) {
        self.text = TextScalars(text)
        self.separators = separators
        isRightToLeft = self.text.isRightToLeft
    }

    /// The next number, from left to right.
    mutating func next() -> WrittenNumber? {
        while position < text.count {
            let start = startsWithPoint(position) ? position + 1 : position
            guard text.digit(start) != nil else {
                position += 1
                continue
            }
            let end = endOfRun(start)
            guard !text.isCombining(end) else {
                // A keycap, or digits under an accent.
                position = end
                continue
            }
            let clock = start == position ? WrittenClock(text, start) : nil
            let digits =
                clock.map { WrittenDigits($0) }
                ?? WrittenDigits(
                    text, start, upTo: endOfScript(start), hasPoint: start > position, by: separators)
            let surroundings = NumberSurroundings(text, around: digits, isRightToLeft: isRightToLeft)
            position = surroundings.range.upperBound
            return WrittenNumber(
                range: text.offsets(surroundings.range),
                value: digits.value(in: text, isNegative: surroundings.isNegative),
                style: digits.style(in: text, within: surroundings))
        }
        return nil
    }

    /// Whether a number starts with its decimal sign, as in `.5 l`: right before a digit, behind no digit, letter or sign.
    private func startsWithPoint(_ index: Int) -> Bool {
        guard let point = text[index], NumberSigns.isDecimal(point), text.digit(index + 1) != nil else { return false }
        guard index > 0 else { return true }
        // Behind words and brackets a comma parts them from the number.
        if NumberSigns.isComma(point), point != separators?.decimal {
            return text.isSpace(index - 1) || text.isMinus(index - 1) || text.isPlus(index - 1)
                || text.isCurrencySymbol(index - 1) || (text[index - 1].map(Self.introductions.contains) ?? false)
        }
        return text.digit(index - 1) == nil && !text.isLetter(index - 1) && !text.isCombining(index - 1)
            && !(text[index - 1].map(NumberSigns.isDecimal) ?? false)
    }

    /// What a number with a comma before it may follow.
    private static let introductions: Set<Unicode.Scalar> = [
        "(", "[", ":", "=", "~", "\u{2248}", "\u{B1}", "<", ">", "/",
    ]

    /// Behind the last digit of the first one's script.
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
