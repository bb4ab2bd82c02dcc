// Tables of powers of ten. Callers stay within the stated ranges, none of which depends on input.

@usableFromInline
enum PowersOfTen {
    /// 10^exponent, exact; exponent 0...22.
    static func double(_ exponent: Int) -> Double { doubles[exponent] }

    /// 10^exponent; exponent 0...19.
    @inlinable
    static func narrow(_ exponent: Int) -> UInt64 { integers[exponent] }

    /// 10^exponent; exponent 0...38.
    static func wide(_ exponent: Int) -> UInt128 {
        exponent <= 19 ? UInt128(integers[exponent]) : UInt128(integers[19]) * UInt128(integers[exponent - 19])
    }

    private static let doubles: InlineArray<23, Double> = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    @usableFromInline static let integers: InlineArray<20, UInt64> = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
}
