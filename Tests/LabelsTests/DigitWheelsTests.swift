// Digit wheels: digits at rest, positions on the way, travel, entering and leaving digits, and columns of text.

import Labels
import TestSupport
import Testing

struct DigitWheelsTests {
    private static func money() -> TickerLabel {
        var label = TickerLabel("0")
        label.plan = .grouped(decimals: 2)
        label.plan.affixes = SignedAffixes(
            positive: Affixes(prefix: Array("$".utf8)), negative: Affixes(prefix: Array("-$".utf8)))
        return label
    }

    @Test(arguments: try VectorCase.all("wheel").filter { $0.expected["digits"] != nil })
    func `wheels at rest show the digits of the text`(vector: VectorCase) throws {
        let value = try #require(ExactDecimal(parsing: vector.input["value"]?.text ?? ""))
        let wheels = try #require(DigitWheels(Self.money()))
        let expected = try #require(vector.expected["digits"]?.list).compactMap { $0.number.map { Int($0) } }
        #expect(wheels.digits(of: value) == expected)
        #expect(wheels.label.text(of: value) == vector.expected["text"]?.text)
    }

    @Test(arguments: try VectorCase.all("wheel").filter { $0.input["old"] != nil })
    func `a wheel travels as in the test vectors, in every direction`(vector: VectorCase) throws {
        let old = Int(try #require(vector.input["old"]?.number))
        let new = Int(try #require(vector.input["new"]?.number))
        for direction in WheelDirection.allCases {
            let travel = direction.travel(from: old, to: new)
            #expect(Double(travel) == vector.expected[direction.rawValue]?.number, "\(direction)")
        }
    }

    @Test func `a wheel's travel ends on the new digit, in the required direction`() {
        for direction in WheelDirection.allCases {
            for old in 0...9 {
                for new in 0...9 {
                    let travel = direction.travel(from: old, to: new)
                    #expect((old + travel + 10) % 10 == new)
                    #expect(travel.magnitude < 10)
                    #expect(direction != .up || travel >= 0)
                    #expect(direction != .down || travel <= 0)
                    #expect(direction != .shortest || travel.magnitude <= 5)
                }
            }
        }
    }

    @Test func `odometer wheels carry one at a time, continuous ones all together`() throws {
        func positions(_ value: Double, _ carry: DigitWheels.Carry) throws -> [Double] {
            var label = TickerLabel("0")
            label.plan = .plain(decimals: 0)
            var parts: [WheelPart] = []
            try #require(DigitWheels(label, carry: carry)).layOut(value, into: &parts)
            return parts.compactMap { if case .wheel(let wheel) = $0 { wheel.position } else { nil } }
        }
        #expect(try positions(198.25, .odometer) == [1, 9, 8.25])
        #expect(try positions(199.25, .odometer) == [1.25, 9.25, 9.25])
        #expect(try positions(129.5, .odometer) == [1, 3 - 0.5, 9.5])
        #expect(try positions(150, .continuous) == [1.5, 5, 0])
        #expect(try positions(9.75, .odometer) == [1, 9.75])
        #expect(try positions(9.75, .continuous) == [1, 9.75])
        #expect(try positions(-12.25, .odometer) == [1, 2.25])
    }

    @Test func `a leading zero that the label omits has a wheel while it turns`() throws {
        for text in [".5 l", "-.5"] {
            var label = TickerLabel(text)
            label.plan.minimumDecimals = 0
            label.plan.maximumDecimals = 0
            for carry in DigitWheels.Carry.allCases {
                let wheels = try #require(DigitWheels(label, carry: carry))
                for (value, position) in [(0.0, 0.0), (0.25, 0.25), (-0.0013, 0.0013)] {
                    var parts: [WheelPart] = []
                    wheels.layOut(value, into: &parts)
                    let turning = parts.compactMap { if case .wheel(let wheel) = $0 { wheel } else { nil } }
                    #expect(turning.count == 1 && turning.first?.presence == 1, "\(text) \(value): \(parts)")
                    #expect(abs((turning.first?.position ?? 9) - position) < 1e-9, "\(text) \(value): \(parts)")
                }
            }
        }
    }

    @Test func `wheels move continuously with the value`() throws {
        for carry in DigitWheels.Carry.allCases {
            let wheels = try #require(DigitWheels(Self.money(), carry: carry))
            var parts: [WheelPart] = []
            var last: [Int: Double] = [:]
            for step in 0...4_000 {
                wheels.layOut(95 + Double(step) / 400, into: &parts)
                for case .wheel(let wheel) in parts {
                    #expect((0..<10).contains(wheel.position))
                    if let old = last[wheel.place] {
                        let turn = (wheel.position - old).magnitude
                        #expect(min(turn, 10 - turn) < 0.251, "place \(wheel.place) at \(step)")
                    }
                    last[wheel.place] = wheel.position
                }
            }
        }
    }

    @Test func `negative, huge and infinite values lay out wheels without a trap`() throws {
        let wheels = try #require(DigitWheels(Self.money()))
        var parts: [WheelPart] = []
        for value in [-1e6, -0.001, 0, 1e15, 1e22, -1e300, .nan, .infinity] {
            wheels.layOut(value, into: &parts)
            #expect(parts.count > 6)
        }
    }

    @Test(arguments: [40_000_000_000_000.25, 48_053_633_766_006.805, 89_602_503_132_014.1])
    func `moving wheels that all stand on digits show the text, also of large numbers`(
        value: Double
    ) throws {
        let wheels = try #require(DigitWheels(Self.money()))
        var parts: [WheelPart] = []
        wheels.layOut(value, into: &parts)
        let digits = parts.compactMap { if case .wheel(let wheel) = $0 { wheel.position } else { nil } }
        try #require(digits.allSatisfy { $0 == $0.rounded() })
        let text = wheels.label.plan.text(of: value)
        #expect(digits.map { String(Int($0)) }.joined() == text.filter { $0.isNumber })
    }

    @Test(arguments: ["-1234.5", "-0.001", "0", "7", "1000000"])
    func `fixed parts and wheels at rest together equal the text`(value: String) throws {
        let value = try #require(ExactDecimal(parsing: value))
        for text in ["Balance: -$1,000.00!", "(5.00) left", "+5 %", "7"] {
            let label = TickerLabel(text)
            let wheels = try #require(DigitWheels(label))
            var parts: [WheelPart] = []
            wheels.layOut(value, into: &parts)
            let shown = parts.map { part in
                switch part {
                case .fixed(let fixed, _): wheels.text(of: fixed, for: value)
                case .wheel(let wheel): String(Int(wheel.position))
                }
            }
            #expect(shown.joined() == label.text(of: value))
        }
    }

    @Test func `wheels are written as JSON with fixed parts, escaped, in any script`() throws {
        var label = TickerLabel("x\"0 y").escapedForJSON()
        label.plan = .grouped(decimals: 1)
        label.plan.digits = try #require(DigitSet(zero: "\u{0660}"))
        let wheels = try #require(DigitWheels(label))
        var parts: [WheelPart] = []
        var bytes: [UInt8] = []
        wheels.appendJSON(-1_234.25, &parts, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"["x\"","-",[3,1],",",[2,2],[1,3],[0,4],".",[-1,2.5]," y"]"#)
        bytes = []
        wheels.appendJSON(ExactDecimal(7), &parts, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"["x\"",[0,7],".",[-1,0]," y"]"#)
    }
}

struct WheelTransitionTests {
    private static let plan = NumberPlan.plain(decimals: 2)

    private static func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(parsing: text)) }

    @Test func `in a wheel transition a digit enters and leaves at the left with partial presence`() throws {
        let growing = WheelTransition(
            from: try Self.decimal("9.99"), to: try Self.decimal("10.00"), Self.plan, direction: .up)
        #expect(growing.wheels(at: 0).map(\.place) == [1, 0, -1, -2])
        #expect(growing.wheels(at: 0.5).map(\.position) == [1, 9.5, 9.5, 9.5])
        #expect(growing.wheels(at: 0.5).map(\.presence) == [0.5, 1, 1, 1])
        #expect(growing.wheels(at: 1).map(\.position) == [1, 0, 0, 0])
        let shrinking = WheelTransition(
            from: try Self.decimal("10.00"), to: try Self.decimal("9.99"), Self.plan, direction: .down)
        #expect(shrinking.wheels(at: 0.25).map(\.presence) == [0.75, 1, 1, 1])
        #expect(shrinking.wheels(at: 1).map(\.position) == [9, 9, 9])
    }

    @Test func `a reversed wheel transition continues from the presence reached`() throws {
        let growing = WheelTransition(
            from: try Self.decimal("9.99"), to: try Self.decimal("10.00"), Self.plan, direction: .up)
        let back = WheelTransition(
            from: growing.wheels(at: 0.75), to: try Self.decimal("9.99"), Self.plan, direction: .down)
        #expect([0, 0.5].map { back.wheels(at: $0)[0].presence } == [0.75, 0.375])
        #expect(back.wheels(at: 1).map(\.place) == [0, -1, -2])
        let again = WheelTransition(
            from: back.wheels(at: 0.5), to: try Self.decimal("20.00"), Self.plan, direction: .up)
        #expect([0, 0.5, 1].map { again.wheels(at: $0)[0].presence } == [0.375, 0.6875, 1])
    }

    @Test func `strip wheels stop at their ends when a spring overshoots`() throws {
        let strip = WheelTransition(
            from: try Self.decimal("1.08"), to: try Self.decimal("9.10"), Self.plan, direction: .strip)
        #expect(strip.wheels(at: 0.5).map(\.position) == [5, 0.5, 4])
        #expect(strip.wheels(at: 1.25).map(\.position) == [9, 1.25, 0])
        #expect(strip.wheels(at: -0.25).map(\.position) == [0, 0, 9])
    }

    @Test(arguments: WheelDirection.allCases)
    func `an interrupted wheel transition starts at the positions reached`(direction: WheelDirection) throws {
        let first = WheelTransition(
            from: try Self.decimal("1.23"), to: try Self.decimal("8.71"), Self.plan, direction: direction)
        let cut = first.wheels(at: 0.37)
        let second = WheelTransition(from: cut, to: try Self.decimal("4.44"), Self.plan, direction: direction)
        for (old, new) in zip(cut, second.wheels(at: 0)) {
            #expect(abs(old.position - new.position) < 1e-12)
        }
        #expect(second.wheels(at: 1).map { Int($0.position.rounded()) % 10 } == [4, 4, 4])
    }
}

struct ColumnChangeTests {
    @Test(arguments: try VectorCase.all("similar").filter { $0.expected["columns"] != nil })
    func `column changes are those of the test vectors`(vector: VectorCase) throws {
        let changes = ColumnChange.changes(
            from: try #require(vector.input["old"]?.text), to: try #require(vector.input["new"]?.text))
        #expect(changes.map { String($0.rawValue) }.joined() == vector.expected["columns"]?.text)
    }

    @Test(arguments: [("", ""), ("", "12"), ("12", ""), ("1:05", "59"), ("abc", "9"), ("$1", "€1")])
    func `column changes have the lengths of both texts`(old: String, new: String) {
        let changes = ColumnChange.changes(from: old, to: new)
        #expect(changes.count { $0 != .insert } == old.unicodeScalars.count)
        #expect(changes.count { $0 != .delete } == new.unicodeScalars.count)
    }
}
