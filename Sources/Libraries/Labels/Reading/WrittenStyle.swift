// How a label's writer writes numbers: what has to come back with every other number in its place.

/// The digits, separators and signs of a number as it stands in a text. A class, so that labels are small: most are
/// written in the same plain way and share one.
package final class WrittenStyle: Hashable, Sendable {
    /// How negative numbers are told apart.
    package enum Negative: Hashable, Sendable {
        /// The number had no sign: one goes before it, and before its symbol, unless a format has another.
        case unsaid([UInt8])
        /// By a sign before the number, and before its symbol.
        case before([UInt8])
        /// By a sign behind it: `5-`.
        case behind([UInt8])
        /// By parentheses: `($5.00)` as in accounts, and behind a dash of the text (`T-5`), where one more would be read
        /// as nothing that anybody writes.
        case parentheses(sign: [UInt8])

        /// A hyphen before numbers of a label that had none; one array for all.
        static let usual = Negative.unsaid([ASCII.minus])
    }

    let digits: DigitSet
    let decimalSeparator: [UInt8]
    let groupSeparator: [UInt8]
    let grouping: NumberPlan.Grouping
    /// As many digits as a number with leading zeros had, 0 for `.5`.
    let minimumIntegerDigits: Int
    let negative: Negative
    /// The sign that positive numbers have; empty: none.
    let plus: [UInt8]
    /// The sign of a currency, or a percent sign, between the number's own sign and its digits.
    let symbol: [UInt8]
    /// What stands between the digits and a closing parenthesis.
    let unit: [UInt8]
    /// The digits are a clock's: `0:00:00`.
    let clock: ClockShape?

    var hasPercentSign: Bool {
        String(decoding: symbol, as: UTF8.self).unicodeScalars.contains(where: NumberSigns.isPercent)
    }

    /// `-1234.5`
    static let plain = WrittenStyle()

    init(
        digits: DigitSet = .ascii, decimalSeparator: [UInt8] = [ASCII.point], groupSeparator: [UInt8] = [ASCII.comma],
        grouping: NumberPlan.Grouping = .none, minimumIntegerDigits: Int = 1,
        negative: Negative = .usual,
        plus: [UInt8] = [], symbol: [UInt8] = [], unit: [UInt8] = [], clock: ClockShape? = nil
    ) {
        self.digits = digits
        self.decimalSeparator = decimalSeparator
        self.groupSeparator = groupSeparator
        self.grouping = grouping
        self.minimumIntegerDigits = minimumIntegerDigits
        self.negative = negative
        self.plus = plus
        self.symbol = symbol
        self.unit = unit
        self.clock = clock
    }

    /// Bytes that it refers to; those of the plain one are everybody's.
    var byteCount: Int {
        self === Self.plain ? 0 : 200 + symbol.count + unit.count
    }

    package static func == (left: WrittenStyle, right: WrittenStyle) -> Bool {
        left === right
            || left.digits == right.digits && left.decimalSeparator == right.decimalSeparator
                && left.groupSeparator == right.groupSeparator && left.grouping == right.grouping
                && left.minimumIntegerDigits == right.minimumIntegerDigits && left.negative == right.negative
                && left.plus == right.plus && left.symbol == right.symbol && left.unit == right.unit
                && left.clock == right.clock
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(decimalSeparator)
        hasher.combine(symbol)
    }
}

extension WrittenStyle {
    /// The plan that writes numbers as this one was.
    func plan(decimals: Int) -> NumberPlan {
        var plan = NumberPlan(decimals: decimals)
        guard self !== Self.plain else { return plan }
        plan.digits = digits
        plan.decimalSeparator = decimalSeparator
        plan.groupSeparator = groupSeparator
        plan.grouping = grouping
        plan.clock = clock
        plan.minimumIntegerDigits = minimumIntegerDigits
        plan.affixes = affixes(around: Affixes(prefix: symbol, suffix: unit), plus: plus)
        return plan
    }

    /// What a format's plan becomes in this place: what the format leaves open is as it was written.
    /// - Parameter format: What the plan was compiled from.
    package func merged(into plan: NumberPlan, of format: NumberFormat) -> NumberPlan {
        guard self !== Self.plain else { return plan }
        var plan = plan
        // A clock stays one among plain numbers; money and the like are none.
        if format.style == .decimal, format.notation == .standard, plan.adaptive == nil { plan.clock = clock }
        if format.minimumIntegerDigits == nil, clock == nil || plan.clock != nil {
            plan.minimumIntegerDigits = max(plan.clock == nil ? 1 : plan.minimumIntegerDigits, minimumIntegerDigits)
        }
        // Where a locale leaves four digits without a group, the label has shown that it doesn't.
        if format.grouping == .auto, grouping.primary > 0, clock == nil { plan.grouping.minimum = 1 }
        func merge(_ affixes: SignedAffixes) -> SignedAffixes {
            format.sign == .auto ? resigned(around(affixes)) : around(affixes)
        }
        plan.affixes = merge(plan.affixes)
        plan.plural = plan.plural?.mapped(merge)
        plan.compact = plan.compact?.mapped(merge)
        return plan
    }

    /// A plan with the symbol that the number stood beside, where it has nothing of the kind.
    func completing(_ plan: NumberPlan) -> NumberPlan {
        guard !symbol.isEmpty || !unit.isEmpty, plan.affixes.positive.isBare, plan.plural == nil else { return plan }
        var plan = plan
        plan.affixes = resigned(around(plan.affixes))
        plan.compact = plan.compact?.mapped { resigned(around($0)) }
        return plan
    }

    /// This style for numbers whose symbol is written by a format.
    func withoutSymbol() -> WrittenStyle {
        WrittenStyle(
            digits: digits, decimalSeparator: decimalSeparator, groupSeparator: groupSeparator, grouping: grouping,
            minimumIntegerDigits: minimumIntegerDigits, negative: negative, plus: plus, clock: clock)
    }

    /// Affixes with the symbol next to the digits.
    private func around(_ affixes: SignedAffixes) -> SignedAffixes {
        affixes.mapped { Affixes(prefix: $0.prefix + symbol, suffix: unit + $0.suffix) }
    }

    /// A format's affixes with this style's signs.
    private func resigned(_ affixes: SignedAffixes) -> SignedAffixes {
        let minus = affixes.minus ?? [ASCII.minus]
        switch negative {
        case .unsaid, .before:
            var signed = affixes
            // A typed hyphen says nothing; a true minus was meant.
            if case .before(let own) = negative, own != [ASCII.minus] {
                signed.negative = affixes.negative.replacing(minus, with: own)
            }
            guard !plus.isEmpty else { return signed }
            signed.positive = affixes.negative.replacing(minus, with: plus)
            signed.zero = signed.positive
            return signed
        case .behind, .parentheses:
            return self.affixes(around: affixes.positive, plus: plus)
        }
    }

    /// Signs around what stands beside the digits.
    private func affixes(around inner: Affixes, plus: [UInt8]) -> SignedAffixes {
        let positive = Affixes(prefix: plus + inner.prefix, suffix: inner.suffix)
        let negative =
            switch negative {
            case .unsaid(let minus), .before(let minus): Affixes(prefix: minus + inner.prefix, suffix: inner.suffix)
            case .behind(let minus): Affixes(prefix: inner.prefix, suffix: inner.suffix + minus)
            case .parentheses(let minus):
                Affixes(prefix: [UInt8(ascii: "(")] + minus + inner.prefix, suffix: inner.suffix + [UInt8(ascii: ")")])
            }
        return SignedAffixes(positive: positive, negative: negative)
    }
}
