// The shortest decimal of a double by integer arithmetic: no string, no allocation, no search.
//
// A double is c / 2^s. Let 10^n be the first power of ten at or above 2^s. Decimals with n places are at most as far apart
// as doubles, so one of them reads back as c / 2^s; decimals with one place less are further apart, so at most one of them
// does. If that one does, it is the shortest, apart from zeros at its end; otherwise the nearest with n places is. The ends
// of the interval that reads back have s + 1 > n places, so no candidate lies on them. (The idea of Giulietti's Schubfach;
// for this range its products fit in 128 bits exactly, and need no table of approximations.)

import Labels

/// A double as an integer and a number of decimal places.
struct DecimalDigits: FrameNumber {
    /// The digits, without trailing zeros after the point.
    private var digits: UInt64
    /// Places after the point, 0...21.
    private var places: Int
    private let isNegative: Bool

    /// The least magnitude except 0 for which the products fit; smaller numbers are rare enough for a string.
    private static let least = 1e-5

    /// Fails outside of magnitudes 10^-5...2^53 (0 is allowed), and for NaN.
    init?(_ value: Double) {
        let magnitude = value.magnitude
        guard magnitude < 0x1p53 else { return nil }
        isNegative = value < 0
        // The conversion truncates; `rounded` would call the C library.
        let whole = UInt64(magnitude)  // proven: below 2^53, and no NaN, which is below nothing
        guard Double(whole) != magnitude else {
            digits = whole
            places = 0
            return
        }
        guard magnitude >= Self.least else { return nil }
        let significand = magnitude.significandBitPattern | 1 << 52
        // 1...69 (proven): a fraction has a bit after the point, and the first bit of 10^-5 is its 17th.
        let binaryPlaces = 52 + 1023 - Int(magnitude.exponentBitPattern)
        let shift = UInt128(binaryPlaces)
        // 1233/4096 is just above log10 2.
        places = (binaryPlaces &* 1233) >> 12 + 1
        let power = Self.powers[places]
        let scaled = UInt128(significand) &* power
        // Half of the distance to the next double; a quarter at a power of two, where the double below is nearer.
        let below = magnitude.significandBitPattern == 0 ? power &>> 2 : power &>> 1
        let lowest = UInt64(truncatingIfNeeded: (scaled &- below) &>> shift)
        let highest = UInt64(truncatingIfNeeded: (scaled &+ power &>> 1) &>> shift)
        let shorter = highest / 10
        if shorter &* 10 > lowest {
            digits = shorter
            places &-= 1
            while places > 0 {
                let tenth = digits / 10
                guard digits == tenth &* 10 else { break }
                digits = tenth
                places &-= 1
            }
        } else {
            let half = UInt128(1) &<< (shift &- 1)
            digits = UInt64(truncatingIfNeeded: (scaled &+ half) &>> shift)
            // A tie, as for a quarter, goes to the even digit.
            if digits & 1 == 1, scaled & (half &<< 1 &- 1) == half { digits &-= 1 }
        }
    }

    /// 10^exponent; 0...21.
    private static let powers: InlineArray<22, UInt128> = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
        100_000_000_000_000_000_000, 1_000_000_000_000_000_000_000,
    ]

    /// The maximum bytes that `put` touches: a sign, 16 digits, the point, 21 places, and the overrun of the last word.
    static let room = 56

    /// Puts the number into room of at least `room` bytes.
    /// - Returns: Where it ends.
    func put(into out: inout MutableRawSpan, at start: Int) -> Int {
        var place = isNegative ? out.put(UInt64(UInt8(ascii: "-")), count: 1, at: start) : start
        guard places > 0 else { return out.put(whole: digits, at: place) }
        guard places < 20 else {
            place = out.put(whole: 0, at: place)
            return putFraction(digits, into: &out, at: place)
        }
        let power = UInt64(truncatingIfNeeded: Self.powers[places])
        let integer = digits / power
        place = out.put(whole: integer, at: place)
        return putFraction(digits &- integer &* power, into: &out, at: place)
    }

    @inline(__always)
    private func putFraction(_ fraction: UInt64, into out: inout MutableRawSpan, at start: Int) -> Int {
        out.put(digits: fraction, count: places, at: out.put(0x2E, count: 1, at: start))
    }
}
