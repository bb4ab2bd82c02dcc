// Decides which digits of a number are shown and what surrounds them, before anything is written.

/// A number's digits, ready to be written.
struct ShownDigits {
    let run: DigitRun
    /// The text around the digits.
    let affixes: SignedAffixes
    /// The exponent after the digits, if there is one.
    var exponent: Int?
    /// Whether the surrounding text replaces the digits.
    var standsAlone = false
}

extension NumberPlan {
    /// The position of the digits of a number of one size.
    private struct Placing {
        /// How many places the point moves to the left.
        var shift: Int
        /// The most digits after the moved point; negative for zeros before it.
        var decimals: Int
        /// The fewest digits after it.
        var minimum: Int
    }

    /// Returns the digits of a number that was rounded to this plan's decimals.
    func digits(of units: DecimalUnits, isNegative: Bool) -> ShownDigits {
        let run = units.run(in: self)
        return shown(run, plural, operands: run.operands, isNegative: isNegative)
    }

    /// Returns digits with the words for their plural form.
    private func shown(
        _ run: DigitRun, _ words: PluralAffixes?, operands: @autoclosure () -> PluralOperands, isNegative: Bool,
        exponent: Int? = nil
    ) -> ShownDigits {
        guard let words else { return ShownDigits(run: run, affixes: affixes, exponent: exponent) }
        return ShownDigits(
            run: run, affixes: words.affixes(for: operands(), isNegative: isNegative), exponent: exponent,
            standsAlone: words.standsAlone(for: operands(), isNegative: isNegative))
    }

    /// Returns the digits of a number, for plans whose digits have no fixed places.
    func digits(of number: UnsignedNumber, isNegative: Bool) -> ShownDigits {
        let adaptive = adaptive
        var size = number.magnitude.map { $0 + shift } ?? 0
        var placing = placing(size, of: number, adaptive)
        var units = rounded(number, placing, isNegative: isNegative)
        // 999 950 rounds to 1000 thousand, which is a million, so the next size applies. This also happens with the same
        // shift: Arabic has a different word for ten thousand than for nine.
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
        // The word agrees with the whole number: 1E3 kilometers.
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
        // The position of the first shown digit relative to the point.
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
        // Near zero, a moving double may be as small as its last bit; exact numbers keep all their digits.
        if case .double = number { placing.decimals = min(placing.decimals, Self.decimalRange.upperBound) }
        return placing
    }
}
