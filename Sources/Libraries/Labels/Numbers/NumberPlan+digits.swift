// Which digits of a number show, and what stands around them: what a plan decides before anything is written.

/// A number's digits on their way into a text.
struct ShownDigits {
    let run: DigitRun
    /// What stands around the digits.
    let affixes: SignedAffixes
    /// The power of ten behind the digits, where there is one.
    var exponent: Int?
    /// What stands around the digits stands in their place.
    var standsAlone = false
}

extension NumberPlan {
    /// Where the digits of a number of one size stand.
    private struct Placing {
        /// How many places the point is moved to the left.
        var shift: Int
        /// The most digits after the point so moved; less than none: so many zeros before it.
        var decimals: Int
        /// The fewest digits after it.
        var minimum: Int
    }

    /// The digits of a number that was rounded to this plan's decimals.
    func digits(of units: DecimalUnits, isNegative: Bool) -> ShownDigits {
        let run = units.run(in: self)
        return shown(run, plural, operands: run.operands, isNegative: isNegative)
    }

    /// Digits with what words make of their operands.
    private func shown(
        _ run: DigitRun, _ words: PluralAffixes?, operands: @autoclosure () -> PluralOperands, isNegative: Bool,
        exponent: Int? = nil
    ) -> ShownDigits {
        guard let words else { return ShownDigits(run: run, affixes: affixes, exponent: exponent) }
        return ShownDigits(
            run: run, affixes: words.affixes(for: operands(), isNegative: isNegative), exponent: exponent,
            standsAlone: words.standsAlone(for: operands(), isNegative: isNegative))
    }

    /// The digits of a number, for plans whose digits have no fixed places.
    func digits(of number: UnsignedNumber, isNegative: Bool) -> ShownDigits {
        let adaptive = adaptive
        var size = number.magnitude.map { $0 + shift } ?? 0
        var placing = placing(size, of: number, adaptive)
        var units = rounded(number, placing, isNegative: isNegative)
        // 999 950 rounds to 1000 thousand, which is a million: the next size takes over. It does
        // with the same shift, too: Arabic has another word for ten thousand than for nine.
        let grown = units.count - placing.decimals + placing.shift - 1
        if grown > size {
            size = grown
            placing = self.placing(size, of: number, adaptive)
            units = rounded(number, placing, isNegative: isNegative)
        }
        if units.units == 0 {
            size = 0
            placing = self.placing(size, of: number, adaptive)
        }
        let run = run(of: units, placing, adaptive)
        guard adaptive?.exponent != nil else {
            return shown(
                run, compact?.form(size).affixes ?? plural, operands: run.operands, isNegative: isNegative)
        }
        // The word is that of the number: 1E3 kilometers.
        func operands() -> PluralOperands {
            let whole = Placing(
                shift: 0, decimals: placing.decimals - placing.shift, minimum: run.decimalCount - placing.shift)
            return self.run(of: units, whole, nil).operands
        }
        return shown(run, plural, operands: operands(), isNegative: isNegative, exponent: placing.shift)
    }

    private func rounded(_ number: UnsignedNumber, _ placing: Placing, isNegative: Bool) -> DecimalUnits {
        number.units(places: placing.decimals - placing.shift + shift, rule: rounding, isNegative: isNegative)
    }

    private func run(of units: DecimalUnits, _ placing: Placing, _ adaptive: AdaptiveDigits?) -> DigitRun {
        var units = units
        if units.units != 0 { units.zeros += max(0, -placing.decimals) }
        let decimals = max(0, placing.decimals)
        if let clock { units = clock.digits(of: units, decimals: decimals) }
        return DigitRun(
            units, maximumDecimals: decimals, minimumDecimals: min(decimals, max(0, placing.minimum)),
            minimumIntegerDigits: minimumIntegerDigits, stripsIfInteger: adaptive?.stripsIfInteger == true)
    }

    private func placing(_ size: Int, of number: UnsignedNumber, _ adaptive: AdaptiveDigits?) -> Placing {
        let shift = compact?.form(size).shift ?? adaptive?.exponent?.power(size) ?? 0
        // The place of the first digit beside the point that is shown.
        let first = size - shift
        var placing = Placing(shift: shift, decimals: maximumDecimals, minimum: minimumDecimals)
        if let significant = adaptive?.significant {
            placing.decimals = significant.upperBound - 1 - first
            placing.minimum = significant.lowerBound - 1 - first
        } else if compact?.isSignificant == true {
            // Two digits, or all those before the point. Below one, zeros after the point don't count.
            placing.decimals = first > 0 ? 0 : 1 - first
            placing.minimum = 0
        }
        // On its way past zero a double is as small as its last bit; what is exact has all of its digits.
        if case .double = number { placing.decimals = min(placing.decimals, Self.decimalRange.upperBound) }
        return placing
    }
}
