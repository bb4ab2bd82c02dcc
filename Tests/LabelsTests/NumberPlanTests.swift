// Number plans: rounding on the frame path, grouping, digits of other scripts, and the text of extremes.

import TestSupport
import Testing

@testable import Labels

struct NumberPlanTests {
    @Test(arguments: [
        (2.675, 2, "2.68"), (1.005, 2, "1.01"), (0.25, 1, "0.3"), (-2.5, 0, "-3"), (-0.3, 0, "0"), (-0.0, 2, "0.00"),
        (0.5, 0, "1"), (2.5, 0, "3"), (1e19, 0, "10000000000000000000"), (0.00001, 5, "0.00001"),
        (1928.98, 13, "1928.9800000000000"),
        (1e300, 1, "1" + .zeros(300) + ".0"), (Double.leastNonzeroMagnitude, 20, "0." + .zeros(20)),
        (0.1 + 0.2, 17, "0.30000000000000004"),
        (9.995, 2, "10.00"), (-0.005, 2, "-0.01"), (123_456_789.123, 20, "123456789.12300000000000000000"),
    ])
    func `a double shows its shortest decimal, rounded half away from zero`(value: Double, decimals: Int, text: String)
    {
        #expect(NumberPlan.plain(decimals: decimals).text(of: value) == text)
    }

    @Test(arguments: RoundingRule.allCases)
    func `fast rounding of doubles equals the slow definition`(rule: RoundingRule) {
        var random = SeededRandom(seed: 2026)
        var compared = 0
        for round in 0..<20_000 {
            let places = Int.random(in: 0...12, using: &random)
            let value = Self.awkward(places: places, round: round, using: &random)
            let isNegative = Bool.random(using: &random)
            guard
                let fast = DecimalUnits.fastUnits(value, places: places, rule: rule, isNegative: isNegative)
            else { continue }
            let slow = DecimalUnits(slowlyRounding: value, places: places, rule: rule, isNegative: isNegative)
            #expect(slow.value == UInt128(fast), "\(value) to \(places) by \(rule)")
            compared += 1
        }
        #expect(compared > 12_000)
    }

    /// Ties, neighbours of ties, whole units, computed values and plain random ones.
    private static func awkward(places: Int, round: Int, using random: inout SeededRandom) -> Double {
        let unit = PowersOfTen.double(places)
        let whole = Double(
            UInt64.random(in: 0...UInt64(1) << UInt64.random(in: 1...46, using: &random), using: &random))
        switch round % 6 {
        case 0: return (whole * 10 + 5) / (unit * 10)
        case 1: return ((whole * 10 + 5) / (unit * 10)).nextUp
        case 2: return ((whole * 10 + 5) / (unit * 10)).nextDown.magnitude
        case 3: return [whole / unit, (whole / unit).nextUp, (whole / unit).nextDown.magnitude][round % 3]
        case 4: return (whole + 0.5) * (1 / unit)
        default: return Double.random(in: 0...1e6, using: &random)
        }
    }

    @Test(arguments: RoundingRule.allCases)
    func `fast rounding to tens and thousands equals the slow definition`(rule: RoundingRule) {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5_000 {
            let places = -Int.random(in: 1...12, using: &random)
            let half = 5 * PowersOfTen.double(-places - 1)
            let value =
                half * Double(Int.random(in: 0...400, using: &random)) + [0, 0.1, -0.1, 1e-7].randomElement(
                    using: &random)!
            guard value >= 0, let fast = DecimalUnits.fastUnits(value, places: places, rule: rule, isNegative: false)
            else { continue }
            let slow = DecimalUnits(slowlyRounding: value, places: places, rule: rule, isNegative: false)
            #expect(slow.value == UInt128(fast), "\(value) to \(places) by \(rule)")
        }
    }

    @Test func `exact decimals show every digit`() throws {
        let value = try #require(ExactDecimal(parsing: "12345678901234567890.12"))
        #expect(NumberPlan.plain(decimals: 2).text(of: value) == "12345678901234567890.12")
        #expect(NumberPlan.plain(decimals: 1).text(of: value) == "12345678901234567890.1")
        #expect(NumberPlan.plain(decimals: 4).text(of: value) == "12345678901234567890.1200")
        #expect(NumberPlan.grouped(decimals: 2).text(of: -value) == "-12,345,678,901,234,567,890.12")
        let nines = try #require(ExactDecimal(parsing: String(repeating: "9", count: 37) + ".9"))
        #expect(NumberPlan.plain(decimals: 0).text(of: nines) == "1" + .zeros(37))
    }

    @Test(arguments: [
        1, -1, 12, -12, 123, -123, 1_234, -1_234, 123_456, -123_456, 1_234_567, -1_234_567, -1_000_000_000,
    ])
    func `grouping separators stand between groups of three and never first`(value: Int) {
        let digits = String(value.magnitude)
        var expected = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { expected += "," }
            expected.append(digit)
        }
        let sign = value < 0 ? "-" : ""
        #expect(NumberPlan.grouped(decimals: 0).text(of: Double(value)) == sign + expected)
        #expect(NumberPlan.grouped(decimals: 0).text(of: ExactDecimal(value)) == sign + expected)
    }

    @Test func `grouping follows primary, secondary and minimum sizes`() {
        var plan = NumberPlan.plain(decimals: 0)
        plan.grouping = .init(primary: 3, secondary: 2)
        #expect(plan.text(of: 10_000_000) == "1,00,00,000")
        plan.grouping = .init(primary: 3, minimum: 2)
        #expect(plan.text(of: 1_234) == "1234")
        #expect(plan.text(of: 12_345) == "12,345")
        #expect(plan.text(of: 1_234_567) == "1,234,567")
    }

    @Test func `optional decimals are left out when they are zero`() {
        var plan = NumberPlan.plain(decimals: 3)
        plan.minimumDecimals = 1
        #expect(plan.text(of: 5) == "5.0")
        #expect(plan.text(of: 5.25) == "5.25")
        #expect(plan.text(of: 5.2567) == "5.257")
        plan.minimumDecimals = 0
        #expect(plan.text(of: 5) == "5")
    }

    @Test func `fast formatting of doubles equals that of exact decimals`() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<5_000 {
            var plan = NumberPlan.plain(decimals: Int.random(in: 0...6, using: &random))
            plan.minimumDecimals = Int.random(in: 0...6, using: &random)
            plan.minimumIntegerDigits = Int.random(in: -2...24, using: &random)
            plan.grouping =
                [.none, .thousands, .init(primary: 3, secondary: 2), .init(primary: 4, minimum: 2)]
                .randomElement(using: &random) ?? .none
            plan.groupSeparator = Array(["'", "\u{202F}"].randomElement(using: &random)!.utf8)
            let prefix = [UInt8](repeating: 0x7E, count: Int.random(in: 0...40, using: &random))
            plan.affixes.positive = Affixes(prefix: prefix, suffix: Array(" €".utf8))
            let scale = Double(sign: .plus, exponent: Int.random(in: -3...36, using: &random), significand: 1)
            let value = Double.random(in: -scale...scale, using: &random)
            // Exact decimals always take the long way.
            let exact = try #require(ExactDecimal(value))
            #expect(plan.text(of: value) == plan.text(of: exact), "\(value) \(plan)")
        }
    }

    @Test func `a plan applies leading zeros, percent shift and other digits`() throws {
        var plan = NumberPlan.plain(decimals: 1)
        plan.minimumIntegerDigits = 3
        #expect(plan.text(of: 7.25) == "007.3")
        plan = .plain(decimals: 0)
        plan.shift = 2
        #expect(plan.text(of: 0.285) == "29")
        plan = .grouped(decimals: 2)
        plan.digits = try #require(DigitSet(zero: "\u{0660}"))
        plan.decimalSeparator = Array("٫".utf8)
        plan.groupSeparator = Array("٬".utf8)
        #expect(plan.text(of: 1_234.5) == "١٬٢٣٤٫٥٠")
    }

    @Test func `a plan's decimals are limited to 0 through 20`() {
        #expect(NumberPlan.plain(decimals: -3).decimals == 0)
        #expect(NumberPlan.plain(decimals: 99).decimals == 20)
        var plan = NumberPlan.plain(decimals: 2)
        plan.decimals = 5
        #expect(plan.minimumDecimals == 5)
        plan.decimals = 1
        #expect(plan.minimumDecimals == 1)
        #expect(plan.halfUnit == 0.05)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `NaN and infinity are shown as zero`(value: Double) {
        #expect(NumberPlan.plain(decimals: 1).text(of: value) == "0.0")
    }
}

extension DecimalUnits {
    fileprivate var value: UInt128 { units * PowersOfTen.wide(zeros) }
}
