// The one layout of digits, held against its definition: a text of digits, padded, trimmed, and parted by separators.

import TestSupport
import Testing

@testable import Labels

@Suite struct DigitLayoutTests {
    /// What the plan asks for, digit by digit.
    private static func definition(_ plan: NumberPlan, units: UInt128, zeros: Int) -> String {
        var digits = Array(units == 0 ? "" : String(units) + String(repeating: "0", count: zeros))
        let fewest = plan.minimumIntegerDigits + plan.maximumDecimals
        if digits.count < fewest { digits = Array(repeating: "0", count: fewest - digits.count) + digits }
        var decimals = Array(digits.suffix(plan.maximumDecimals))
        while decimals.count > plan.minimumDecimals, decimals.last == "0" { decimals.removeLast() }
        let integers = digits.dropLast(plan.maximumDecimals)
        let isGrouped = plan.grouping.primary > 0 && integers.count >= plan.grouping.primary + plan.grouping.minimum
        var text = ""
        for (index, digit) in integers.enumerated() {
            if isGrouped, index > 0, plan.startsGroup(integers.count - index) {
                text += String(decoding: plan.groupSeparator, as: UTF8.self)
            }
            text += plan.digits.text(of: digit.wholeNumberValue ?? 0)
        }
        if !decimals.isEmpty { text += String(decoding: plan.decimalSeparator, as: UTF8.self) }
        return decimals.reduce(text) { $0 + plan.digits.text(of: $1.wholeNumberValue ?? 0) }
    }

    private static func text(_ plan: NumberPlan, _ units: DecimalUnits) -> String {
        var bytes = Array("before".utf8)
        plan.append(plan.digits(of: units, isNegative: false), isNegative: false, to: &bytes)
        return String(decoding: bytes.dropFirst(6), as: UTF8.self)
    }

    private static func plan(using random: inout SeededRandom) -> NumberPlan {
        var plan = NumberPlan(decimals: Int.random(in: 0...20, using: &random))
        plan.minimumDecimals = Int.random(in: 0...plan.maximumDecimals, using: &random)
        plan.minimumIntegerDigits = Int.random(in: 1...21, using: &random)
        plan.grouping = NumberPlan.Grouping(
            primary: Int.random(in: 0...6, using: &random), secondary: Int.random(in: 0...5, using: &random),
            minimum: Int.random(in: 1...4, using: &random))
        let separators = ["", ",", "\u{202F}", "12345678", "longer than a word"]
        plan.groupSeparator = Array((separators.randomElement(using: &random) ?? "").utf8)
        plan.decimalSeparator = Array((separators.randomElement(using: &random) ?? "").utf8)
        if Int.random(in: 0..<4, using: &random) == 0 {
            let zeros: [Unicode.Scalar] = ["\u{0660}", "\u{0966}", "\u{1D7CE}"]
            plan.digits = DigitSet(zero: zeros.randomElement(using: &random) ?? "0") ?? .ascii
        }
        return plan
    }

    @Test func `digits are laid out as the plan's definition says`() {
        var random = SeededRandom(seed: 11)
        for round in 0..<20_000 {
            let plan = Self.plan(using: &random)
            let bits = UInt128.random(in: 0...127, using: &random)
            let units =
                round % 50 == 0 ? 0 : UInt128.random(in: 0...UInt128.max >> bits, using: &random) % PowersOfTen.wide(38)
            // Zeros at the end beyond what units hold: the greatest double has some 300.
            let zeros = Int.random(in: 0..<5, using: &random) == 0 ? Int.random(in: 0...310, using: &random) : 0
            let text = Self.text(plan, DecimalUnits(units: units, zeros: units == 0 ? 0 : zeros))
            #expect(text == Self.definition(plan, units: units, zeros: zeros), "\(units) and \(zeros) zeros")
        }
    }

    @Test func `a frame's number is laid out as the plan's text of it`() throws {
        var random = SeededRandom(seed: 12)
        for _ in 0..<10_000 {
            let plan = Self.plan(using: &random)
            var words: [UInt64] = []
            let layout = try #require(NumberLayout(plan) { words.adopt($0) })
            let value =
                Double.random(in: -1...1, using: &random) * PowersOfTen.double(Int.random(in: 0...15, using: &random))
            guard let units = layout.units(of: value) else { continue }
            var bytes: [UInt8] = []
            bytes.append(room: layout.room) { layout.put(units, words.span, into: &$0, at: $1) }
            #expect(String(decoding: bytes, as: UTF8.self) == plan.text(of: value))
        }
    }
}
