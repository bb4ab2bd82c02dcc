// What frames write, held against the label they write for.

import TestSupport
import Testing

@testable import Labels

@Suite struct FrameLabelTests {
    private func text(_ label: TickerLabel, _ value: Double) -> String {
        var bytes: [UInt8] = []
        label.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func frameText(_ label: FrameLabel, _ number: FrameLabel.Number) -> String {
        // What stands around it stays.
        var bytes: [UInt8] = Array("before".utf8)
        bytes.append(room: label.room) { out, start in label.put(number, into: &out, at: start) }
        return String(decoding: bytes.dropFirst(6), as: UTF8.self)
    }

    /// Plans of every layout that a frame label can hold.
    private static func plan(using random: inout SeededRandom) -> NumberPlan {
        var plan = NumberPlan(decimals: Int.random(in: 0...12, using: &random))
        plan.minimumDecimals = Int.random(in: 0...plan.maximumDecimals, using: &random)
        plan.minimumIntegerDigits = [1, 1, 1, 2, 5, 18][Int.random(in: 0..<6, using: &random)]
        plan.rounding = RoundingRule.allCases.randomElement(using: &random) ?? .halfExpand
        plan.grouping =
            [
                .none, .thousands, NumberPlan.Grouping(primary: 3, secondary: 2),
                NumberPlan.Grouping(primary: 3, minimum: 2), NumberPlan.Grouping(primary: 4, secondary: 0),
                NumberPlan.Grouping(primary: 1),
            ][Int.random(in: 0..<6, using: &random)]
        plan.groupSeparator =
            [[0x2C], Array("\u{202F}".utf8), Array("12345678".utf8), []][
                Int.random(in: 0..<4, using: &random)]
        plan.decimalSeparator = Bool.random(using: &random) ? [0x2E] : Array("\u{066B}".utf8)
        plan.shift = [0, 0, 2, 3, -3][Int.random(in: 0..<5, using: &random)]
        if Bool.random(using: &random) {
            plan.affixes = SignedAffixes(
                positive: Affixes(prefix: Array("+".utf8), suffix: Array("\u{A0}€ and more of it".utf8)),
                negative: Affixes(prefix: Array("(".utf8), suffix: Array(")".utf8)),
                zero: Affixes(prefix: Array("none: ".utf8)))
        }
        return plan
    }

    @Test func `a frame's text is the label's`() throws {
        var random = SeededRandom(seed: 7)
        var compared = 0
        for round in 0..<4_000 {
            var label = TickerLabel(["", "Loading assets 0", "0 of 17", "\"é\" 5 \n end"][round % 4]).escapedForJSON()
            label.plan = Self.plan(using: &random)
            let frame = try #require(FrameLabel(label))
            for _ in 0..<8 {
                let size = Double.random(in: -6...13, using: &random)
                let value = Double.random(in: -1...1, using: &random) * PowersOfTen.double(Int(size.magnitude))
                guard let number = frame.number(of: size < 0 ? value / 1e6 : value) else { continue }
                #expect(frameText(frame, number) == text(label, size < 0 ? value / 1e6 : value))
                compared += 1
            }
        }
        #expect(compared > 20_000)
    }

    @Test func `equal numbers are equal texts and others are not`() throws {
        let label = TickerLabel("about 0.0 units")
        let frame = try #require(FrameLabel(label))
        for (one, other) in [(1.04, 1.0), (1.06, 1.04), (-0.04, 0.04), (-0.06, 0.06), (0, -0.0), (9.96, 10.01)] {
            let numbers = try (#require(frame.number(of: one)), #require(frame.number(of: other)))
            #expect((numbers.0 == numbers.1) == (text(label, one) == text(label, other)), "\(one), \(other)")
        }
    }

    @Test func `a label with forms, compact notation or other digits is left to itself`() throws {
        #expect(FrameLabel(try TickerLabel(message: "{n, plural, one {# coin} other {# coins}}")) == nil)
        var label = TickerLabel("0")
        label.plan.digits = try #require(DigitSet(zero: "\u{0660}"))
        #expect(FrameLabel(label) == nil)
        label = TickerLabel("0")
        label.plan.groupSeparator = Array("nine bytes".utf8)
        #expect(FrameLabel(label) == nil)
    }

    @Test(arguments: [Double.infinity, .nan, 1e17, 1.7e308])
    func `a number that takes its shortest decimal is left to the label`(value: Double) throws {
        #expect(try #require(FrameLabel(TickerLabel("0.0"))).number(of: value) == nil)
    }

    @Test func `digits are put as they are counted`() {
        for (number, count) in [(0, 1), (7, 1), (7, 8), (12_345_678, 8), (123_456_789, 9), (5, 20), (.max, 20)]
            as [(UInt64, Int)]
        {
            var bytes: [UInt8] = []
            bytes.append(room: 40) { out, start in out.put(digits: number, count: count, at: start) }
            let plain = String(number)
            #expect(
                String(decoding: bytes, as: UTF8.self)
                    == String(repeating: "0", count: count - plain.count) + plain)
        }
    }
}
