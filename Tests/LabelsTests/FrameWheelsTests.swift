// Compiled wheels, compared with those that a label writes itself.

import Labels
import Locales
import TestSupport
import Testing

@Suite struct FrameWheelsTests {
    private static let formats: [(format: NumberFormat, decimals: Int?)] = [
        (NumberFormat(locale: "en"), 2), (NumberFormat(locale: "en"), 0),
        (NumberFormat(locale: "de", style: .currency, currency: "EUR"), nil),
        (NumberFormat(locale: "hi", style: .percent), 1), (NumberFormat(locale: "es"), 3),
        (NumberFormat(locale: "ar-EG", style: .currency, currency: "EGP"), 2),
    ]

    private static let edges = [
        0, 9, 9.25, 9.75, 9.995, 9.9949, 99.99, 99.996, 999.5, 999.996, 1_000, 9_999.5, 99_999.999, 0.5, 0.004, 0.005,
        0.09999, 12_345_678.75, 4e12, 1.1e13,
    ]

    private func label(_ text: String, _ format: NumberFormat, _ decimals: Int?) throws -> TickerLabel {
        try TickerLabel(text, format: format, plan: try NumberPlanCompiler.plan(for: format, decimals: decimals))
    }

    /// The wheels of a value as a label writes them, and compiled; nil if a frame's label doesn't show the value.
    private func wheels(
        _ label: TickerLabel, _ carry: DigitWheels.Carry, _ value: Double
    ) throws -> (own: String, compiled: String)? {
        var frameLabel = try #require(FrameLabel(label))
        var parts: [WheelPart] = []
        guard let numbers = frameLabel.numbers(of: value, nil) else { return nil }
        let escaped = label.escapedForJSON()
        var compiled = try #require(FrameWheels(escaped, carry: carry))
        var (own, bytes) = ([UInt8](), Array("before".utf8))
        try #require(DigitWheels(escaped, carry: carry)).appendJSON(value, &parts, to: &own)
        bytes.append(room: compiled.room) { compiled.put(value, showing: numbers, into: &$0, at: $1) }
        return (String(decoding: own, as: UTF8.self), String(decoding: bytes.dropFirst(6), as: UTF8.self))
    }

    @Test(arguments: DigitWheels.Carry.allCases)
    func `precompiled wheels equal those written from the label`(carry: DigitWheels.Carry) throws {
        var random = SeededRandom(seed: 7)
        for (format, decimals) in Self.formats {
            for text in ["0", "a \"0\" b"] {
                let label = try label(text, format, decimals)
                let others = (0..<500).map { random.double(0...[1, 1e3, 1e7, 1e11][$0 % 4]) }
                for value in (Self.edges + others).flatMap({ [$0, -$0] }) {
                    guard let wheels = try wheels(label, carry, value) else { continue }
                    #expect(wheels.own == wheels.compiled, "\(value) in \(format.locale)")
                }
            }
        }
    }

    @Test(arguments: [WheelDirection.up, .down, .shortest, .strip])
    func `precompiled wheels amid a transition equal those written from the label`(direction: WheelDirection) throws {
        for (format, decimals) in Self.formats {
            let label = try label("x0", format, decimals)
            let escaped = label.escapedForJSON()
            let (old, new) = (ExactDecimal(987), ExactDecimal(-12_345))
            let transition = WheelTransition(from: old, to: new, label.plan, direction: direction)
            var frameLabel = try #require(FrameLabel(label))
            var compiled = try #require(FrameWheels(escaped, carry: .odometer))
            for step in 0...20 {
                let progress = Double(step) / 20
                let value = 987 - 13_332 * progress
                let found = frameLabel.numbers(of: value, nil)
                let numbers = try #require(found)
                let wheels = transition.wheels(at: progress)
                var (own, bytes, parts) = ([UInt8](), [UInt8](), [WheelPart]())
                try #require(DigitWheels(escaped)).appendJSON(wheels, showing: value, &parts, to: &own)
                bytes.append(room: compiled.room(wheels.count)) {
                    compiled.put(wheels, showing: numbers, into: &$0, at: $1)
                }
                #expect(own == bytes)
            }
        }
    }

    @Test func `formats with plural or compact affixes are not precompiled`() throws {
        var days = NumberFormat(locale: "en", style: .unit, unit: "day")
        days.unitDisplay = .long
        let compact = NumberFormat(locale: "en", style: .compact)
        for format in [days, compact] {
            #expect(FrameWheels(try label("0", format, nil).escapedForJSON(), carry: .odometer) == nil)
        }
    }
}
