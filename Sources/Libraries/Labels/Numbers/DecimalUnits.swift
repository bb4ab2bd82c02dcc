// Rounds a number to whole units of its last shown digit. A double's number is its shortest decimal, as people and ECMA-402
// read it: 1.005 is a tie at two decimals although its binary value lies below. The fast path decides that without forming
// the shortest decimal; the slow path forms it.

/// Decimal digits: `units` followed by `zeros` zeros.
@usableFromInline
struct DecimalUnits {
    @usableFromInline var units: UInt128
    @usableFromInline var zeros = 0

    /// Rounds the shortest decimal of `magnitude` to `places` digits after the point (negative: before it).
    ///
    /// - Parameters:
    ///   - magnitude: finite, not negative.
    ///   - places: -22...22 on the fast path, anything sensible on the slow one.
    init(rounding magnitude: Double, places: Int, rule: RoundingRule, isNegative: Bool) {
        if let units = Self.fastUnits(magnitude, places: places, rule: rule, isNegative: isNegative) {
            self.init(units: UInt128(units))
        } else {
            self.init(slowlyRounding: magnitude, places: places, rule: rule, isNegative: isNegative)
        }
    }

    /// The definition: rounds the digits of the shortest round-trip decimal. May allocate.
    init(slowlyRounding magnitude: Double, places: Int, rule: RoundingRule, isNegative: Bool) {
        guard let literal = DecimalLiteral(magnitude.description.utf8, allowsExponent: true) else {
            self.init(units: 0)
            return
        }
        self.init(
            rounding: literal.coefficient, scale: literal.scale, places: places, rule: rule, isNegative: isNegative)
    }

    /// Rounds `coefficient / 10^scale`; the coefficient has at most 38 digits.
    init(rounding coefficient: UInt128, scale: Int, places: Int, rule: RoundingRule, isNegative: Bool) {
        let dropped = scale - places
        if dropped <= 0 {
            self.init(units: coefficient, zeros: coefficient == 0 ? 0 : -dropped)
        } else if dropped > 38 {
            // Less than a tenth of a unit: no tie is possible.
            let grows = coefficient != 0 && !rule.isHalf && rule.expands(isNegative: isNegative)
            self.init(units: grows ? 1 : 0)
        } else {
            let power = PowersOfTen.wide(dropped)
            let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: power)
            let up = rule.roundsUp(
                remainder: remainder, of: power, isOdd: !quotient.isMultiple(of: 2), isNegative: isNegative)
            self.init(units: up ? quotient + 1 : quotient)
        }
    }

    init(units: UInt128, zeros: Int = 0) {
        self.units = units
        self.zeros = zeros
    }

    /// The number of digits; zero has none.
    var count: Int { units == 0 ? 0 : Self.digitCount(units) + zeros }

    static func digitCount(_ value: UInt128) -> Int {
        guard let narrow = UInt64(exactly: value) else {
            var count = 19
            while count <= 38, value >= PowersOfTen.wide(count) { count += 1 }
            return count
        }
        return digitCount(narrow)
    }

    @inlinable
    static func digitCount(_ value: UInt64) -> Int {
        // log10 from log2 (1233/4096 is just below log10 2), off by at most one.
        let bits = UInt64.bitWidth - value.leadingZeroBitCount
        let guess = (bits * 1233) >> 12
        return guess < 20 && value >= PowersOfTen.narrow(guess) ? guess + 1 : guess
    }
}

// MARK: - Without the shortest decimal

extension DecimalUnits {
    /// Equals the slow path unless it is nil.
    ///
    /// Proof: the shortest decimal S and the double x both lie in the interval of numbers that read as x. A rounding
    /// boundary T outside that interval has both on the same side, so x decides. A T inside it reads as x; if T has at most
    /// 15 digits, no other decimal of at most 15 digits does, so S = T.
    static func fastUnits(_ x: Double, places: Int, rule: RoundingRule, isNegative: Bool) -> UInt64? {
        if places < 0 { return fastUnits(x, tensOf: -places, rule: rule, isNegative: isNegative) }
        guard places <= 21 else { return nil }
        let power = PowersOfTen.double(places)
        let product = x * power
        guard product < 0x1p50 else { return nil }
        let isHalf = rule.isHalf
        // Conversions to integers truncate; `rounded` would be a call into the C library.
        // proven: a product of two numbers that are not negative, below 2^50; NaN was not below.
        var floor = UInt64(isHalf ? product : product + 0.5)
        let whole = Double(floor)
        let distance = product - whole - (isHalf ? 0.5 : 0)
        let isAbove: Bool
        // The product is off by at most 2^-53 of itself, and S by as much again.
        if distance.magnitude > product * 0x1p-51 {
            isAbove = distance > 0
        } else {
            // Near a boundary. Both operands are exact, so the quotient is the double that the boundary reads as.
            guard whole < 1e14 else { return nil }
            let boundary = isHalf ? (whole * 10 + 5) / PowersOfTen.double(places + 1) : whole / power
            if boundary == x {
                return isHalf && rule.tieExpands(isOdd: floor & 1 == 1, isNegative: isNegative) ? floor + 1 : floor
            }
            isAbove = x > boundary
        }
        if isHalf { return isAbove ? floor + 1 : floor }
        if !isAbove { floor -= 1 }
        return rule.expands(isNegative: isNegative) ? floor + 1 : floor
    }

    /// Rounds to units of 10^exponent: all boundaries are integers that a double holds exactly.
    private static func fastUnits(_ x: Double, tensOf exponent: Int, rule: RoundingRule, isNegative: Bool) -> UInt64? {
        guard x < 1e15, exponent <= 15 else { return nil }
        let unit = PowersOfTen.double(exponent)
        // proven: x is not negative and below 10^15, and a unit is at least one.
        var whole = Double(UInt64(x / unit))
        if whole * unit > x { whole -= 1 }
        // proven: an integer below 10^15, and at least zero after the subtraction, since zero is never above x.
        let floor = UInt64(whole)
        let lower = whole * unit
        if rule.isHalf {
            let half = lower + unit / 2
            if x != half { return x > half ? floor + 1 : floor }
            return rule.tieExpands(isOdd: floor & 1 == 1, isNegative: isNegative) ? floor + 1 : floor
        }
        return x > lower && rule.expands(isNegative: isNegative) ? floor + 1 : floor
    }
}
