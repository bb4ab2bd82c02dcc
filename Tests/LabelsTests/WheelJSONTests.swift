// Wheels as a stream sends them.

import Labels
import Testing

struct WheelJSONTests {
    private func label(_ text: String, decimals: Int = 0, grouped: Bool = false) -> TickerLabel {
        var label = TickerLabel(text)
        label.plan = grouped ? .grouped(decimals: decimals) : .plain(decimals: decimals)
        return label.escapedForJSON()
    }

    private func json(
        _ label: TickerLabel, from old: Int, to new: ExactDecimal, _ direction: WheelDirection,
        at progress: Double
    ) throws -> String {
        let wheels = try #require(DigitWheels(label))
        let transition = WheelTransition(from: ExactDecimal(old), to: new, label.plan, direction: direction)
        var bytes: [UInt8] = []
        var parts: [WheelPart] = []
        let shown = Double(old) + (new.double - Double(old)) * progress
        wheels.appendJSON(transition.wheels(at: progress), showing: shown, &parts, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (WheelDirection.up, 0.5, ##"["a \"",[1,1.5],[0,0.5],"F"]"##),
        (.down, 0.5, ##"["a \"",[1,6.5],[0,5.5],"F"]"##),
        (.shortest, 1.0, ##"["a \"",[1,2],[0,2],"F"]"##), (.shortest, 0.0, ##"["a \"",[1,1],[0,9],"F"]"##),
    ])
    func `wheels amid a transition are written as JSON with their positions`(
        direction: WheelDirection, progress: Double, expected: String
    ) throws {
        #expect(try json(label("a \"0F"), from: 19, to: ExactDecimal(22), direction, at: progress) == expected)
    }

    @Test func `an entering or leaving digit is written with its presence`() throws {
        #expect(try json(label("0"), from: 9, to: ExactDecimal(10), .up, at: 0.25) == "[[1,1,0.25],[0,9.25]]")
        #expect(try json(label("0"), from: 10, to: ExactDecimal(9), .down, at: 0.25) == "[[1,1,0.75],[0,9.75]]")
        #expect(try json(label("0"), from: 10, to: ExactDecimal(9), .down, at: 1) == "[[0,9]]")
    }

    @Test func `a plural word that replaces 1 doesn't replace -1`() throws {
        var label = label("0")
        let plain = SignedAffixes(positive: Affixes(prefix: []), negative: Affixes(prefix: Array("-".utf8)))
        let one = SignedAffixes(positive: Affixes(prefix: [], suffix: Array("one".utf8)), negative: plain.negative)
        label.plan.plural = PluralAffixes(rule: .oneIfWholeOne, other: plain, [:], one: one)
        let wheels = try #require(DigitWheels(label))
        for (value, expected) in [(ExactDecimal(1), #"["one"]"#), (ExactDecimal(-1), #"["-",[0,1]]"#)] {
            var (bytes, parts): ([UInt8], [WheelPart]) = ([], [])
            wheels.appendJSON(value, &parts, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == expected)
            let text = parts.compactMap {
                if case .fixed(let fixed, _) = $0 { wheels.text(of: fixed, for: value) } else { nil }
            }
            #expect(label.text(of: value).hasPrefix(text.joined()))
        }
    }

    @Test func `wheels have separators where the text has them`() throws {
        let label = label("$0", decimals: 2, grouped: true)
        let end = try #require(ExactDecimal(parsing: "1234.5"))
        #expect(
            try json(label, from: 1_234, to: end, .up, at: 1)
                == #"["$",[3,1],",",[2,2],[1,3],[0,4],".",[-1,5],[-2,0]]"#)
    }

    @Test(arguments: [
        (9.0, "[[0,9]]"), (9.25, "[[1,1,0.25],[0,9.25]]"), (9.75, "[[1,1,0.75],[0,9.75]]"),
        (999.5, "[[3,1,0.5],[\",\",0.5],[2,9.5],[1,9.5],[0,9.5]]"), (1_000, "[[3,1],\",\",[2,0],[1,0],[0,0]]"),
        (-9.5, "[\"-\",[1,1,0.5],[0,9.5]]"), (0.25, "[[0,0.25]]"),
    ])
    func `an odometer's column enters while the one below goes from 9 to 0`(value: Double, expected: String) throws {
        var (parts, bytes): ([WheelPart], [UInt8]) = ([], [])
        try #require(DigitWheels(label("0", grouped: true))).appendJSON(value, &parts, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `columns filled with leading zeros are present from the start`() throws {
        var label = label("0")
        label.plan.minimumIntegerDigits = 2
        var (parts, bytes): ([WheelPart], [UInt8]) = ([], [])
        try #require(DigitWheels(label)).appendJSON(9.5, &parts, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "[[1,0.5],[0,9.5]]")
    }

    @Test func `a group separator enters together with the column that needs it`() throws {
        var spanish = label("0", grouped: true)
        spanish.plan.grouping.minimum = 2
        let wheels = try #require(DigitWheels(spanish, carry: .odometer))
        var (parts, bytes): ([WheelPart], [UInt8]) = ([], [])
        wheels.appendJSON(9_999.5, &parts, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(#"[[4,1,0.5],[3,9.5],[",",0.5],[2,9.5]"#))
        #expect(
            try json(label("0", grouped: true), from: 999, to: ExactDecimal(1_000), .up, at: 0.5)
                == #"[[3,1,0.5],[",",0.5],[2,9.5],[1,9.5],[0,9.5]]"#)
        #expect(
            try json(label("0", grouped: true), from: 1_000, to: ExactDecimal(999), .down, at: 0.75)
                == #"[[3,1,0.25],[",",0.25],[2,9.25],[1,9.25],[0,9.25]]"#)
    }

    @Test func `wheels have the sign of the text at that moment`() throws {
        let label = label("0")
        let shown = try [0, 0.25, 0.5, 0.75, 1].map {
            try json(label, from: 5, to: ExactDecimal(-5), .shortest, at: $0)
        }
        #expect(shown == ["[[0,5]]", "[[0,5]]", "[[0,5]]", #"["-",[0,5]]"#, #"["-",[0,5]]"#])
    }

    @Test(arguments: [
        ("\u{FE0F}\u{20E3}", false), ("\u{301}", false), (" \u{20AC}", true), ("\u{20AC}", true), ("", true),
    ])
    func `a digit that combines with the following character gets no wheel`(suffix: String, hasWheels: Bool) {
        let label = TickerLabel(prefix: "", suffix: suffix)
        #expect((DigitWheels(label) != nil) == hasWheels)
        #expect((DigitWheels(label.escapedForJSON()) != nil) == hasWheels)
    }

    @Test func `wheels with extreme or NaN positions are written as finite JSON`() throws {
        let wheels = [
            DigitWheel(place: .min, position: 1e300, presence: -1e300), DigitWheel(place: 3, position: -0.5),
            DigitWheel(place: 2, position: 9.9996, presence: 0.25), DigitWheel(place: 1, position: .nan),
            DigitWheel(place: 0, position: -0.0, presence: .nan),
        ]
        let huge = "1" + String(repeating: "0", count: 300)
        var bytes = Array("before".utf8)
        var parts: [WheelPart] = []
        try #require(DigitWheels(label("0"))).appendJSON(wheels, showing: 1, &parts, to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "before[[-9223372036854775808,\(huge),-\(huge)],[3,-0.5],[2,9.999,0.25],[1,0],[0,0]]")
    }
}
