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
        wheels.appendJSON(transition.wheels(at: progress), towards: new, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (WheelDirection.up, 0.5, ##"["a \"",[1,1.5],[0,0.5],"F"]"##),
        (.down, 0.5, ##"["a \"",[1,6.5],[0,5.5],"F"]"##),
        (.shortest, 1.0, ##"["a \"",[1,2],[0,2],"F"]"##), (.shortest, 0.0, ##"["a \"",[1,1],[0,9],"F"]"##),
    ])
    func `each wheel turns its own way between static parts`(
        direction: WheelDirection, progress: Double, expected: String
    ) throws {
        #expect(try json(label("a \"0F"), from: 19, to: ExactDecimal(22), direction, at: progress) == expected)
    }

    @Test func `a digit that enters or leaves says how far it is there`() throws {
        #expect(try json(label("0"), from: 9, to: ExactDecimal(10), .up, at: 0.25) == "[[1,1,0.25],[0,9.25]]")
        #expect(try json(label("0"), from: 10, to: ExactDecimal(9), .down, at: 0.25) == "[[1,1,0.75],[0,9.75]]")
        #expect(try json(label("0"), from: 10, to: ExactDecimal(9), .down, at: 1) == "[[0,9]]")
    }

    @Test func `separators stand where the text has them`() throws {
        let label = label("$0", decimals: 2, grouped: true)
        let end = try #require(ExactDecimal(parsing: "1234.5"))
        #expect(
            try json(label, from: 1_234, to: end, .up, at: 1)
                == #"["$",[3,1],",",[2,2],[1,3],[0,4],".",[-1,5],[-2,0]]"#)
    }

    @Test func `wheels that no number has are told as they are`() throws {
        let wheels = [
            DigitWheel(place: .min, position: 1e300, presence: -1e300), DigitWheel(place: 3, position: -0.5),
            DigitWheel(place: 2, position: 9.9996, presence: 0.25), DigitWheel(place: 1, position: .nan),
            DigitWheel(place: 0, position: -0.0, presence: .nan),
        ]
        let huge = "1" + String(repeating: "0", count: 300)
        var bytes = Array("before".utf8)
        try #require(DigitWheels(label("0"))).appendJSON(wheels, towards: ExactDecimal(1), to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "before[[-9223372036854775808,\(huge),-\(huge)],[3,-0.5],[2,9.999,0.25],[1,0],[0,0]]")
    }
}
