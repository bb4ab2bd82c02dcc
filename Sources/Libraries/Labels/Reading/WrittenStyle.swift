// How a label's author writes numbers, to be applied to every number in that place.

/// The digits, separators and signs of a number in a text. A class, so that labels are small: most share the plain style.
package final class WrittenStyle: Hashable, Sendable {
    /// How negative numbers are marked.
    package enum Negative: Hashable, Sendable {
        /// The number had no sign. Negative numbers get one before the number and its symbol, unless a format has another.
        case unsaid([UInt8])
        /// A sign before the number and its symbol.
        case before([UInt8])
        /// A sign after the number: `5-`.
        case behind([UInt8])
        /// Parentheses: `($5.00)` as in accounting. Also after a dash of the text (`T-5`), where a second dash would be
        /// unreadable.
        case parentheses(sign: [UInt8])

        /// A hyphen, for labels whose number had no sign; all share one array.
        static let usual = Negative.unsaid([ASCII.minus])
    }

    let digits: DigitSet
    let decimalSeparator: [UInt8]
    let groupSeparator: [UInt8]
    let grouping: NumberPlan.Grouping
    /// The integer digits of a number with leading zeros, 0 for `.5`.
    let minimumIntegerDigits: Int
    let negative: Negative
    /// The sign of positive numbers; empty for none.
    let plus: [UInt8]
    /// A currency symbol or percent sign between the number's sign and its digits.
    let symbol: [UInt8]
    /// The text between the digits and a closing parenthesis.
    let unit: [UInt8]
    /// The shape if it is a clock: `0:00:00`.
    let clock: ClockShape?

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

    /// Bytes that it references; 0 for the shared plain style.
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
    /// Returns the plan that writes numbers in this style.
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

    /// Returns a format's plan in this place: what the format leaves open stays as it was written.
    /// - Parameter format: The format that the plan was compiled from.
    package func merged(into plan: NumberPlan, of format: NumberFormat) -> NumberPlan {
        guard self !== Self.plain else { return plan }
        var plan = plan
        // A clock stays a clock for plain numbers, but not for money and the like.
        if format.style == .decimal, format.notation == .standard, plan.adaptive == nil { plan.clock = clock }
        if format.minimumIntegerDigits == nil, clock == nil || plan.clock != nil {
            plan.minimumIntegerDigits = max(plan.clock == nil ? 1 : plan.minimumIntegerDigits, minimumIntegerDigits)
        }
        // A locale may not group four digits, but the label does.
        if format.grouping == .auto, grouping.primary > 0, clock == nil { plan.grouping.minimum = 1 }
        func merge(_ affixes: SignedAffixes) -> SignedAffixes {
            format.sign == .auto ? resigned(around(affixes)) : around(affixes)
        }
        plan.affixes = merge(plan.affixes)
        plan.plural = plan.plural?.mapped(merge)
        plan.compact = plan.compact?.mapped(merge)
        return plan
    }

    /// Returns a plan with the number's symbol added, unless it has its own.
    func completing(_ plan: NumberPlan) -> NumberPlan {
        guard !symbol.isEmpty || !unit.isEmpty, plan.affixes.positive.isBare, plan.plural == nil else { return plan }
        var plan = plan
        plan.affixes = resigned(around(plan.affixes))
        plan.compact = plan.compact?.mapped { resigned(around($0)) }
        return plan
    }

    /// Returns affixes with the symbol next to the digits.
    private func around(_ affixes: SignedAffixes) -> SignedAffixes {
        affixes.mapped { Affixes(prefix: $0.prefix + symbol, suffix: unit + $0.suffix) }
    }

    /// Returns a format's affixes with this style's signs.
    private func resigned(_ affixes: SignedAffixes) -> SignedAffixes {
        let minus = affixes.minus ?? [ASCII.minus]
        switch negative {
        case .unsaid, .before:
            var signed = affixes
            // A typed hyphen has no significance; a true minus does.
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

    /// Returns affixes with signs around the text next to the digits.
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
