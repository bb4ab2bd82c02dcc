// The text around a number's digits that moves with its sign: the sign, a currency or percent sign, parentheses.

/// A currency symbol next to digits.
enum CurrencySign {
    /// Returns the symbol before some digits, from its first letter and including a space: `$`, `US$ `, `€`.
    static func before(_ digits: Int, in text: TextScalars) -> Range<Int>? {
        let end = text.isSpace(digits - 1) ? digits - 1 : digits
        guard text.isCurrencySymbol(end - 1) else { return nil }
        var start = end - 1
        while end - start <= 3, text.isCapital(start - 1) { start -= 1 }
        // More letters than a currency has are a word.
        return text.isLetter(start - 1) ? (end - 1)..<digits : start..<digits
    }

    /// Returns the symbol after digits, up to its last letter: ` €`, ` $US`.
    static func behind(_ digits: Int, in text: TextScalars) -> Range<Int>? {
        let start = text.isSpace(digits) ? digits + 1 : digits
        guard text.isCurrencySymbol(start) else { return nil }
        var end = start + 1
        while end - start <= 3, text.isCapital(end) { end += 1 }
        return digits..<(text.isLetter(end) ? start + 1 : end)
    }

    /// Returns a code of three capitals before digits. It only counts as a code after a sign: `-CHF 5`.
    static func code(before digits: Int, in text: TextScalars) -> Range<Int>? {
        let end = text.isSpace(digits - 1) ? digits - 1 : digits
        guard (1...3).allSatisfy({ text.isCapital(end - $0) }), text.isMinus(end - 4) || text.isPlus(end - 4) else {
            return nil
        }
        return (end - 3)..<digits
    }
}

/// A percent sign before digits: `%50` in Turkish, `% 50` in Basque.
enum LeadingPercentSign {
    /// Returns the range from the sign up to the digits. A percent sign after a word or a number belongs to that. Across a
    /// space, it only belongs to the digits if it has a sign of its own: `−% 5`, but `CPU % 5`.
    static func before(_ digits: Int, in text: TextScalars) -> Range<Int>? {
        let isApart = text.isSpace(digits - 1)
        let start = digits - (isApart ? 2 : 1)
        guard text.isPercentSign(start), !text.isLetter(start - 1), text.digit(start - 1) == nil else { return nil }
        return !isApart || text.isMinus(start - 1) || text.isPlus(start - 1) ? start..<digits : nil
    }
}

/// A number's sign, and what lies between it and the digits.
struct NumberSurroundings {
    /// The range that is rewritten with the number.
    private(set) var range: Range<Int>
    private(set) var isNegative = false
    private(set) var negative: WrittenStyle.Negative
    private(set) var plus: [UInt8] = []
    private(set) var symbol: [UInt8] = []
    private(set) var unit: [UInt8] = []
    /// What the number's format wrote of it.
    private(set) var written: FormatAffixes.Match?
    private let text: TextScalars
    private let format: FormatAffixes?

    /// Whether it has nothing around it beyond the plain style.
    var isPlain: Bool {
        guard plus.isEmpty, symbol.isEmpty, unit.isEmpty else { return false }
        switch negative {
        case .unsaid(let minus), .before(let minus): return minus.count == 1
        case .behind, .parentheses: return false
        }
    }

    /// - Parameter format: What is tried first.
    init(_ text: TextScalars, around digits: Range<Int>, isRightToLeft: Bool, format: FormatAffixes?) {
        self.text = text
        self.format = format
        range = digits
        negative = isRightToLeft ? Self.markedMinus(text, digits.lowerBound) : .usual
        take(around: digits)
        takeParenthesesBehindDash()
    }

    private mutating func take(around digits: Range<Int>) {
        takeFormat()
        if written?.isNegative != nil || takeSign(before: range.lowerBound) { return takeFormat() }
        let currency = CurrencySign.before(range.lowerBound, in: text)
        // With money, a percent sign is text.
        let token = currency ?? (isMoney ? nil : LeadingPercentSign.before(range.lowerBound, in: text))
        let signed = token ?? CurrencySign.code(before: range.lowerBound, in: text)
        if let signed, takeSign(before: signed.lowerBound) {
            symbol = isMoney ? [] : bytes(signed)
            return
        }
        if let token {
            symbol = isMoney ? [] : bytes(token)
            range = token.lowerBound..<range.upperBound
        }
        if takeParentheses(around: digits) || takeMinusBehind() { return takeFormat() }
        if isBehindDash {
            guard case .unsaid(let minus) = negative else { return }
            negative = .parentheses(sign: minus)
        }
    }

    private var isMoney: Bool { format?.isMoney == true }

    /// Takes what the format wrote, unless that has been found.
    private mutating func takeFormat() {
        let isSigned = isNegative || !plus.isEmpty
        guard written == nil, let found = format?.match(around: range, in: text, isSigned: isSigned) else { return }
        (written, range) = (found, found.range)
        isNegative = found.isNegative ?? isNegative
    }

    /// Returns the minus for a label without one. In right-to-left text it needs a mark to stay on its side of the digits,
    /// as in CLDR's Hebrew, Arabic and Persian numbers.
    private static func markedMinus(_ text: TextScalars, _ digit: Int) -> WrittenStyle.Negative {
        switch text.zero(digit) {
        case 0x660: .unsaid(Array("\u{61C}-".utf8))
        case 0x6F0: .unsaid(Array("\u{200E}\u{2212}".utf8))
        default: .unsaid(Array("\u{200E}-".utf8))
        }
    }

    /// Takes a sign directly before a position, unless a letter, a digit or another sign precedes it: `2020-2024`, `A-5`.
    private mutating func takeSign(before place: Int) -> Bool {
        let index = place - 1
        guard text.isMinus(index) || text.isPlus(index), !text.isJoint(index - 1) else { return false }
        let sign = bytes(index..<place)
        isNegative = text.isMinus(index)
        if isNegative {
            negative = .before(sign)
        } else {
            plus = sign
        }
        range = index..<range.upperBound
        return true
    }

    /// Whether a number with its symbol before it begins here: `$5-$10` is a range.
    private func beginsNumber(_ index: Int) -> Bool {
        guard text.isCurrencySymbol(index) || text.isPercentSign(index) else { return false }
        let digits = text.isSpace(index + 1) ? index + 2 : index + 1
        return text.digit(digits) != nil || text[digits] == "." && text.digit(digits + 1) != nil
    }

    /// Whether a dash precedes directly: a minus after it would be a second one.
    private var isBehindDash: Bool { text.isDash(range.lowerBound - 1) }

    /// Takes accounting parentheses: around money, at the start of the text or after a colon or similar. Elsewhere they are
    /// ordinary: `Large fries ($3.50)`.
    private mutating func takeParentheses(around digits: Range<Int>) -> Bool {
        guard text[range.lowerBound - 1] == "(" else { return false }
        let behind = CurrencySign.behind(digits.upperBound, in: text)
        let end = max(behind?.upperBound ?? 0, range.upperBound)
        guard behind != nil || CurrencySign.before(digits.lowerBound, in: text) != nil, text[end] == ")" else {
            return false
        }
        var before = range.lowerBound - 2
        while text.isSpace(before) { before -= 1 }
        guard text[before].map({ Self.introductions.contains($0) }) ?? true else { return false }
        unit = isMoney ? [] : bytes(range.upperBound..<end)
        isNegative = true
        negative = .parentheses(sign: [])
        range = (range.lowerBound - 1)..<(end + 1)
        return true
    }

    private static let introductions: Set<Unicode.Scalar> = [":", "=", "|", "\n", "\t", "\u{FF1A}"]

    /// Takes the parentheses that a negative number gets after a dash of the text: `T-(-5)`.
    private mutating func takeParenthesesBehindDash() {
        guard isNegative, text[range.lowerBound - 1] == "(", text[range.upperBound] == ")",
            text.isDash(range.lowerBound - 2)
        else { return }
        switch negative {
        case .unsaid(let minus), .before(let minus): negative = .parentheses(sign: minus)
        case .behind, .parentheses: return
        }
        range = (range.lowerBound - 1)..<(range.upperBound + 1)
    }

    /// Takes a minus directly after: `5-`, unless it leads on to a word or another number.
    private mutating func takeMinusBehind() -> Bool {
        let index = range.upperBound
        guard text.isMinus(index), !isBehindDash else { return false }
        var next = index + 1
        while text.isSpace(next) { next += 1 }
        guard !text.isJoint(next), !beginsNumber(next) else { return false }
        isNegative = true
        negative = .behind(bytes(index..<(index + 1)))
        range = range.lowerBound..<(index + 1)
        return true
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        range.flatMap { index in text[index].map { Array(String($0).utf8) } ?? [] }
    }
}
