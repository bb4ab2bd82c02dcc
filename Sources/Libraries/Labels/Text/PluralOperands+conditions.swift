// The longer conditions of CLDR's plural rules, as used by PluralRule.

extension PluralOperands {
    /// n is this integer.
    func n(_ value: UInt64) -> Bool { isInteger && i == value }

    /// n is one of these integers.
    func n(_ range: ClosedRange<UInt64>) -> Bool { isInteger && range.contains(i) }

    /// n mod `modulus` is one of these integers.
    func n(modulo modulus: UInt64, _ range: ClosedRange<UInt64>) -> Bool {
        isInteger && range.contains(i % modulus)
    }

    private static func endsInOne(_ value: UInt64) -> Bool { value % 10 == 1 && value % 100 != 11 }

    /// v = 0 and i % 10 = 1 and i % 100 != 11 or f % 10 = 1 and f % 100 != 11
    var endsInOne: Bool { (v == 0 && Self.endsInOne(i)) || Self.endsInOne(f) }

    /// t = 0 and i % 10 = 1 and i % 100 != 11 or t % 10 = 1 and t % 100 != 11
    var isIcelandicOne: Bool { (t == 0 && Self.endsInOne(i)) || Self.endsInOne(t) }

    /// v = 0 and (i = 1,2,3 or i % 10 != 4,6,9) or v != 0 and f % 10 != 4,6,9
    var isFilipinoOne: Bool {
        let last = v == 0 ? i % 10 : f % 10
        return last != 4 && last != 6 && last != 9
    }

    var latvian: PluralCategory {
        let isTeen = v == 2 && (11...19).contains(f % 100)
        if n(modulo: 10, 0...0) || n(modulo: 100, 11...19) || isTeen { return .zero }
        if isInteger, Self.endsInOne(i) { return .one }
        if v == 2 ? Self.endsInOne(f) : f % 10 == 1 { return .one }
        return .other
    }

    var manx: PluralCategory {
        guard v == 0 else { return .many }
        if i % 10 == 1 { return .one }
        if i % 10 == 2 { return .two }
        return (i % 100).isMultiple(of: 20) ? .few : .other
    }

    static func breton(_ n: UInt64) -> PluralCategory {
        let (ones, tens) = (n % 10, n % 100 / 10)
        let isOdd = tens == 1 || tens == 7 || tens == 9
        if ones == 1, !isOdd { return .one }
        if ones == 2, !isOdd { return .two }
        if ones == 3 || ones == 4 || ones == 9, !isOdd { return .few }
        return n != 0 && n.isMultiple(of: 1_000_000) ? .many : .other
    }

    static func cornish(_ n: UInt64) -> PluralCategory {
        if n == 0 { return .zero }
        if n == 1 { return .one }
        let isOddTwenty = n % 100 < 100 && (n % 100 / 10).isMultiple(of: 2)
        if isOddTwenty, n % 10 == 2 { return .two }
        let thousands = n % 100_000
        let isRound = (1_000...20_000).contains(thousands) || [40_000, 60_000, 80_000].contains(thousands)
        if (n.isMultiple(of: 1_000) && isRound) || n % 1_000_000 == 100_000 { return .two }
        if isOddTwenty, n % 10 == 3 { return .few }
        return isOddTwenty && n % 10 == 1 ? .many : .other
    }
}

extension DigitRun {
    /// The operands of the shown digits. CLDR's patterns for compact notation depend on these too: `1 Million`, `2
    /// Millionen`.
    var operands: PluralOperands {
        var operands = PluralOperands(i: 0, v: decimalCount)
        for index in 0..<integerCount { operands.i = Self.push(self[integer: index], to: operands.i) }
        for index in 0..<decimalCount { operands.f = Self.push(self[decimal: index], to: operands.f) }
        operands.t = operands.f
        while operands.t != 0, operands.t.isMultiple(of: 10) { operands.t /= 10 }
        return operands
    }

    /// Appends a digit. Beyond 18 digits the first ones are dropped, except that there were any: rules depend on small
    /// numbers and the last six digits.
    private static func push(_ digit: UInt8, to value: UInt64) -> UInt64 {
        let limit = PowersOfTen.narrow(18)
        let isLong = value >= limit / 10
        let rest = isLong ? value % (limit / 10) : value
        return rest * 10 + UInt64(digit) + (isLong ? limit : 0)
    }
}
