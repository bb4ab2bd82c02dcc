// Finds what a format writes around a number, in a text that it may have written: signs, currencies, units, words of compact
// notation, exponents. Only what it can't have written is left to NumberSurroundings.

/// The texts around the numbers of a format.
struct FormatAffixes {
    /// What was found around some digits.
    struct Match {
        /// The digits, and the format's text on both sides.
        let range: Range<Int>
        /// Nil if it has no sign.
        let isNegative: Bool?
        /// How many places the format moves the point to the right: 2 for a percentage, -3 for thousands in compact notation.
        let shift: Int
        /// Whether the format writes exactly this; otherwise people write it.
        fileprivate let isWhole: Bool

        fileprivate func precedes(_ other: Match) -> Bool {
            isWhole == other.isWhole ? range.count > other.range.count : isWhole
        }
    }

    /// The text on both sides of some numbers. Decoded once: a label may have a thousand numbers before the one that moves.
    private struct Form {
        /// From the digits on, so the last scalar comes first.
        let before: [Unicode.Scalar]
        let behind: [Unicode.Scalar]
        let isNegative: Bool?
        let shift: Int
        /// Whether the format writes it; otherwise people do.
        let isOwn: Bool

        init(_ affixes: Affixes, isNegative: Bool?, shift: Int, isOwn: Bool = true) {
            before = String(decoding: affixes.prefix, as: UTF8.self).unicodeScalars.reversed()
            behind = Array(String(decoding: affixes.suffix, as: UTF8.self).unicodeScalars)
            (self.isNegative, self.shift, self.isOwn) = (isNegative, shift, isOwn)
        }
    }

    let separators: NumberSeparators?
    /// Whether the format writes a currency, which takes the place of any other.
    let isMoney: Bool
    private var forms: [Form] = []
    private let exponent: AdaptiveDigits.Exponent?
    /// The shift of numbers without a word of compact notation.
    private let shift: Int

    init(_ format: NumberFormat, _ plan: NumberPlan) {
        separators = NumberSeparators(plan)
        isMoney = format.style == .currency
        exponent = plan.adaptive?.exponent
        shift = plan.shift
        let words =
            plan.compact?.forms ?? [.init(shift: 0, affixes: plan.plural ?? PluralAffixes(always: plan.affixes))]
        var lastWord: CompactTable.Form?
        for word in words where word != lastWord {
            // Sizes of one word have its text, and so have many of its plural forms.
            lastWord = word
            var known: [SignedAffixes] = []
            for affixes in word.affixes.all where !known.contains(affixes) {
                known.append(affixes)
                append(affixes, shift: plan.shift - word.shift)
            }
        }
        appendTyped(format, plan)
    }

    private mutating func append(_ signed: SignedAffixes, shift: Int) {
        func append(_ affixes: Affixes, isNegative: Bool) {
            let isSigned = isNegative || affixes.prefix.contains(ASCII.plus) || affixes.suffix.contains(ASCII.plus)
            forms.append(Form(affixes, isNegative: isSigned ? isNegative : nil, shift: shift))
        }
        append(signed.positive, isNegative: false)
        if signed.zero != signed.positive { append(signed.zero, isNegative: false) }
        // Without signs, a negative number can't be told from a positive one.
        if signed.negative != signed.positive { append(signed.negative, isNegative: true) }
    }

    /// Adds what people write for the format's own text: a currency or percent sign on the other side, a currency's code, the
    /// parentheses of accounts.
    private mutating func appendTyped(_ format: NumberFormat, _ plan: NumberPlan) {
        var words: [[UInt8]] = []
        if format.style == .currency {
            words = [
                Array((format.currency ?? "").uppercased().utf8), plan.affixes.positive.prefix,
                plan.affixes.positive.suffix,
            ]
        } else if format.style == .percent || format.style == .unit && format.unit == "percent" {
            words = [[ASCII.percent]]
        }
        for word in words where !word.isEmpty {
            for affixes in [Affixes(prefix: word), Affixes(prefix: [], suffix: word)] {
                forms.append(Form(affixes, isNegative: nil, shift: plan.shift, isOwn: false))
            }
        }
        if format.style == .currency, format.currencySign == .accounting {
            let parentheses = Affixes(prefix: [UInt8(ascii: "(")], suffix: [UInt8(ascii: ")")])
            forms.append(Form(parentheses, isNegative: true, shift: plan.shift, isOwn: false))
        }
    }

    /// Returns the longest text of the format around some digits, or else the longest that people write for it; nil if there is
    /// none.
    /// - Parameter isSigned: Whether the digits include a sign, so that the text around them has none.
    func match(around digits: Range<Int>, in text: TextScalars, isSigned: Bool = false) -> Match? {
        let (power, end) = power(behind: digits.upperBound, in: text)
        var best: Match?
        for form in forms where !(isSigned && form.isNegative == true) {
            let start = text.start(of: form.before, before: digits.lowerBound)
            let behind = text.end(of: form.behind, behind: end)
            let isWhole = start != nil && behind != nil
            // One side alone says nothing about the sign, and a text before the digits nothing about a word behind them.
            guard isWhole || form.isNegative != true && (start == nil || form.shift == shift) else { continue }
            let match = Match(
                range: (start ?? digits.lowerBound)..<(behind ?? end), isNegative: isWhole ? form.isNegative : nil,
                shift: form.shift - power, isWhole: isWhole && form.isOwn)
            if match.range != digits, best.map(match.precedes) ?? true { best = match }
        }
        return best ?? (isMoney ? otherCurrency(around: digits, in: text) : nil)
    }

    /// Returns any currency next to some digits.
    private func otherCurrency(around digits: Range<Int>, in text: TextScalars) -> Match? {
        let before =
            CurrencySign.before(digits.lowerBound, in: text) ?? CurrencySign.code(before: digits.lowerBound, in: text)
        guard let sign = before ?? CurrencySign.behind(digits.upperBound, in: text) else { return nil }
        return Match(
            range: min(sign.lowerBound, digits.lowerBound)..<max(sign.upperBound, digits.upperBound), isNegative: nil,
            shift: shift, isWhole: false)
    }

    /// Returns the exponent after some digits and its end; 0 if there is none.
    private func power(behind digits: Int, in text: TextScalars) -> (power: Int, end: Int) {
        guard let exponent, let start = text.end(exactly: exponent.separator, at: digits) else { return (0, digits) }
        let minus = text.end(exactly: exponent.minus, at: start)
        let first = minus ?? start
        var (power, end) = (0, first)
        // No supported number has an exponent of three digits.
        while end < first + 2, let digit = text.digit(end) {
            power = power * 10 + Int(digit)
            end += 1
        }
        guard end > first, text.digit(end) == nil else { return (0, digits) }
        return (minus == nil ? power : -power, end)
    }
}

extension TextScalars {
    /// Returns where a format's text begins that ends before some digits; nil if it isn't there, or is part of a longer word.
    /// - Parameter reversed: From the digits on.
    fileprivate func start(of reversed: [Unicode.Scalar], before digits: Int) -> Int? {
        reversed.isEmpty ? digits : end(of: reversed, from: digits - 1, step: -1).map { $0 + 1 }
    }

    /// Returns where a format's text ends that begins after some digits; nil if it isn't there, or is part of a longer word.
    fileprivate func end(of scalars: [Unicode.Scalar], behind digits: Int) -> Int? {
        scalars.isEmpty ? digits : end(of: scalars, from: digits, step: 1)
    }

    /// Returns where a text ends that begins here, without exceptions; nil if it isn't here, or empty.
    fileprivate func end(exactly bytes: [UInt8], at start: Int) -> Int? {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let end = scalars.reduce(start as Int?) { place, scalar in place.flatMap { self[$0] == scalar ? $0 + 1 : nil } }
        return end == start ? nil : end
    }

    /// Returns the position after a text in the direction away from the digits. Spaces and direction marks may be others than
    /// the format's, or none, but none separate a sign from what it belongs to.
    private func end(of scalars: [Unicode.Scalar], from start: Int, step: Int) -> Int? {
        var place = start
        var last: Unicode.Scalar?
        for scalar in scalars {
            if NumberSigns.isBlank(scalar) {
                if self[place] == scalar || NumberSigns.isSpace(scalar) && isSpace(place) { place += step }
                continue
            }
            let isSign = NumberSigns.isMinus(scalar) || NumberSigns.isPlus(scalar)
            while !isSign, let blank = self[place], NumberSigns.isBlank(blank) { place += step }
            guard let found = self[place],
                found == scalar || NumberSigns.isPercent(found) && NumberSigns.isPercent(scalar)
            else { return nil }
            place += step
            last = found
        }
        return isJoined(last, place) ? nil : place
    }

    /// Returns whether a format's text that ends with some scalar continues here, as part of a longer word or range.
    private func isJoined(_ last: Unicode.Scalar?, _ next: Int) -> Bool {
        guard let last else { return false }
        if NumberSigns.isMinus(last) || NumberSigns.isPlus(last) { return isJoint(next) }
        guard let scalar = self[next], isLetter(next) else { return false }
        let isWord = last.properties.isAlphabetic || last.properties.generalCategory == .currencySymbol
        return isWord && !NumberSigns.isWrittenTogether(last) && !NumberSigns.isWrittenTogether(scalar)
    }
}
