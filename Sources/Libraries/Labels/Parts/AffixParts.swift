// Splits the text around a number's digits: signs, spaces, and the words of a currency, a unit or compact notation.

struct AffixParts {
    /// What a word is according to the format. Without a format it is nil, and a word before the digits is a currency.
    private let word: NumberPart.Kind?
    /// The currency next to a word of compact notation; empty if there is only one of the two.
    private let currency: Substring.UnicodeScalarView

    init(_ plan: NumberPlan, _ format: NumberFormat?) {
        switch format?.style {
        case .currency where format?.isCompact == true: word = .compact
        case .currency: word = .currency
        case .unit: word = .unit
        case .decimal, .percent, .compact, .clock, .duration, nil: word = plan.compact == nil ? nil : .compact
        }
        var currency = Substring.UnicodeScalarView()
        if format?.style == .currency, word == .compact {
            let base = plan.affixes.positive
            currency = Self.peeled(Self.scalars(base.prefix)).middle
            if currency.isEmpty { currency = Self.peeled(Self.scalars(base.suffix)).middle }
        }
        self.currency = currency
    }

    /// Appends the parts of the text on one side of the digits.
    func append(_ affix: [UInt8], isPrefix: Bool, to parts: inout [NumberPart]) {
        guard !affix.isEmpty else { return }
        let (before, middle, after) = Self.peeled(Self.scalars(affix))
        Self.appendSigns(before, to: &parts)
        appendWords(middle, isPrefix: isPrefix, to: &parts)
        Self.appendSigns(after, to: &parts)
    }

    private func appendWords(_ words: Substring.UnicodeScalarView, isPrefix: Bool, to parts: inout [NumberPart]) {
        if words.count == 1, words.allSatisfy(NumberSigns.isPercent) {
            parts.append(.percentSign, String(words))
        } else if currency.isEmpty {
            parts.append(kind(of: words, isPrefix: isPrefix), String(words))
        } else if words.starts(with: currency) {
            parts.append(.currency, String(currency))
            append(Array(String(words.dropFirst(currency.count)).utf8), isPrefix: isPrefix, to: &parts)
        } else if words.reversed().starts(with: currency.reversed()) {
            append(Array(String(words.dropLast(currency.count)).utf8), isPrefix: isPrefix, to: &parts)
            parts.append(.currency, String(currency))
        } else {
            parts.append(.compact, String(words))
        }
    }

    private func kind(of words: Substring.UnicodeScalarView, isPrefix: Bool) -> NumberPart.Kind {
        // A currency symbol of the label next to a word of the format.
        if words.contains(where: { $0.properties.generalCategory == .currencySymbol }) { return .currency }
        return word ?? (isPrefix ? .currency : .literal)
    }

    private static func appendSigns(_ signs: Substring.UnicodeScalarView, to parts: inout [NumberPart]) {
        for sign in signs {
            let kind: NumberPart.Kind =
                NumberSigns.isMinus(sign) ? .minusSign : NumberSigns.isPlus(sign) ? .plusSign : .literal
            parts.append(kind, String(sign))
        }
    }

    private static func scalars(_ text: [UInt8]) -> Substring.UnicodeScalarView {
        Substring(String(decoding: text, as: UTF8.self)).unicodeScalars
    }

    /// Returns the words, and the signs, spaces, parentheses and direction marks on either side of them.
    private static func peeled(
        _ text: Substring.UnicodeScalarView
    ) -> (before: Substring.UnicodeScalarView, middle: Substring.UnicodeScalarView, after: Substring.UnicodeScalarView)
    {
        let before = text.prefix(while: isAround)
        let rest = text.dropFirst(before.count)
        let after = rest.suffix(rest.reversed().prefix(while: isAround).count)
        return (before, rest.dropLast(after.count), after)
    }

    private static func isAround(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(", ")": true
        default: NumberSigns.isBlank(scalar) || NumberSigns.isMinus(scalar) || NumberSigns.isPlus(scalar)
        }
    }
}
