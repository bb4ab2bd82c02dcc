// The shortest decimal of a double, in integers alone: no string, no allocation, no table of powers beyond 10^22.
//
// A double is m·2^e. Scaled by 10^k so that 17 digits stand before the point, it is the fraction N/S of two 128-bit
// integers, and so is the distance within which every decimal reads back as the same double: half of 10^k/S. Digits
// are taken off as long as what is left lies within it.

/// A double as an integer times a power of ten.
struct DecimalDigits {
    /// The digits, without zeros at the end.
    private(set) var digits: UInt64
    /// Places after the point.
    private(set) var places: Int

    /// Magnitudes for which the integers fit: below them and above them numbers are rare enough for a string.
    private static let range = 1e-5..<0x1p53
    private static let powers: InlineArray<23, UInt64> = {
        var powers = InlineArray<23, UInt64>(repeating: 1)
        for index in 1..<20 { powers[index] = powers[index - 1] * 10 }
        return powers
    }()

    /// - Parameter magnitude: Not negative. Nil outside of the range.
    init?(shortest magnitude: Double) {
        guard Self.range.contains(magnitude) else { return nil }
        let significand = magnitude.significandBitPattern | 1 << 52
        // magnitude = significand / 2^shift; below 2^53 the shift is not negative.
        let shift = 52 - Int(magnitude.exponent)
        var places = 16 - Self.integerDigits(magnitude)
        var power = Self.power(places)
        var scaled = UInt128(significand) &* power
        let one = UInt128(1) &<< UInt128(shift)
        // The estimate of the digits may be one too few next to a power of ten.
        if scaled &>> UInt128(shift) >= Self.limit {
            places -= 1
            power = Self.power(places)
            scaled = UInt128(significand) &* power
        }
        // Half of the way to the next double; a quarter where the one below is nearer, at a power of two.
        let reach = magnitude.significandBitPattern == 0 ? power &>> 2 : power &>> 1
        let full = UInt64(truncatingIfNeeded: (scaled &+ one &>> 1) &>> UInt128(shift))
        var best = full
        var unit: UInt64 = 10
        var count = places
        while count > 0 {
            // The nearer of the two that are a digit shorter; next to the middle it may be the other one that fits.
            let below = full / unit * unit
            let nearer = (full - below) &* 2 >= unit ? below + unit : below
            let other = nearer == below ? below + unit : below
            guard
                let shorter = Self.distance(nearer, scaled, shift) < reach
                    ? nearer : Self.distance(other, scaled, shift) < reach ? other : nil
            else { break }
            best = shorter
            unit *= 10
            count -= 1
        }
        digits = best / (unit / 10)
        self.places = count
        // What rounding left may end in zeros.
        while self.places > 0, digits % 10 == 0 {
            digits /= 10
            self.places -= 1
        }
    }

    private static func distance(_ digits: UInt64, _ scaled: UInt128, _ shift: Int) -> UInt128 {
        let product = UInt128(digits) &<< UInt128(shift)
        return product > scaled ? product &- scaled : scaled &- product
    }

    private static let limit: UInt128 = 100_000_000_000_000_000

    /// 10^exponent for 0...38.
    private static func power(_ exponent: Int) -> UInt128 {
        exponent < 20
            ? UInt128(powers[max(0, exponent)]) : UInt128(powers[19]) * UInt128(powers[min(19, exponent - 19)])
    }

    /// The power of ten at or below a magnitude, or the one below that.
    private static func integerDigits(_ magnitude: Double) -> Int {
        Int((Double(magnitude.exponent) * 0.301_029_995_663_981_2).rounded(.down))
    }

    /// Appends the number.
    func append(to bytes: inout [UInt8]) {
        let power = Self.powers[places > 19 ? 19 : places]
        guard places <= 19 else {
            // Below 10^-2 with 17 digits: all of them stand after the point, behind zeros.
            bytes.append(contentsOf: "0.".utf8)
            Self.append(digits, padded: places, to: &bytes)
            return
        }
        NumberText.append(Int64(digits / power), to: &bytes)
        guard places > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        Self.append(digits % power, padded: places, to: &bytes)
    }

    /// - Parameter count: 1...21; zeros fill up to it.
    private static func append(_ value: UInt64, padded count: Int, to bytes: inout [UInt8]) {
        var text = InlineArray<21, UInt8>(repeating: UInt8(ascii: "0"))
        var rest = value
        var place = count
        while rest > 0, place > 0 {
            place -= 1
            text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        for index in 0..<count { bytes.append(text[index]) }
    }
}
