// Numbers that no screen needs and that clients send: denormals, the greatest doubles, infinities and what is no number.

import Labels
import TestSupport
import Testing

@Suite struct ExtremeNumberTests {
    static let doubles: [Double] = [
        0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e-300, 0.1, -0.1, 9.999999999999998, 10, -10, 1e15,
        9e15, 0x1p53, 0x1p56, 1e18,
        -1e19,
        1e100, 1e308, -1e308, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan,
    ]

    /// Extremes and what lies between them, evenly over the exponents.
    static func double(_ random: inout SeededRandom) -> Double {
        if random.chance(0.3) { return random.pick(doubles) }
        return Double(bitPattern: random.next())
    }

    @Test func `wheels at extreme progress stay between 0 and 10`() {
        var random = SeededRandom(seed: 6)
        for _ in 0..<20_000 {
            let start = DigitWheel(place: random.pick([0, 1, .max, .min, 5]), position: Self.double(&random))
            let transition = WheelTransition(
                from: [start], to: ExactDecimal(random.int(0...99_999)), .plain(decimals: 2),
                direction: random.pick(WheelDirection.allCases))
            for wheel in transition.wheels(at: Self.double(&random)) {
                #expect(wheel.position >= 0 && wheel.position < 10)
                #expect(wheel.presence >= 0 && wheel.presence <= 1)
            }
        }
    }

    @Test(arguments: zip([-3.0, 12.25, 20, -0.5, 29.75], [7.0, 2.25, 0, 9.5, 9.75]))
    func `a wheel carried beyond its ten digits wraps around`(progress: Double, position: Double) {
        let transition = WheelTransition(
            from: ExactDecimal(0), to: ExactDecimal(1), .plain(decimals: 0), direction: .up)
        #expect(transition.wheels(at: progress).map(\.position) == [position])
    }

    @Test func `any double can be shown as text, wheels, time span and percentage without a trap`() throws {
        var random = SeededRandom(seed: 7)
        var parts: [WheelPart] = []
        for _ in 0..<5_000 {
            let value = Self.double(&random)
            var label = TickerLabel("0")
            label.plan =
                random.chance(0.5) ? .grouped(decimals: random.int(0...20)) : .plain(decimals: random.int(0...20))
            var bytes: [UInt8] = []
            label.append(value, to: &bytes)
            let wheels = try #require(DigitWheels(label, carry: random.pick(DigitWheels.Carry.allCases)))
            wheels.layOut(value, into: &parts)
            for case .wheel(let wheel) in parts { #expect(wheel.position >= 0 && wheel.position < 10) }
            #expect((0...TimeSpan.maximumSeconds).contains(TimeSpan(elapsed: value).totalSeconds))
            #expect((0...TimeSpan.maximumSeconds).contains(TimeSpan(remaining: value).totalSeconds))
            _ = ProgressMath.fraction(of: value, maximum: Self.double(&random))
            _ = ProgressMath.percent(
                of: value, maximum: Self.double(&random), end: Self.double(&random), endPercent: 100)
            _ = ExactDecimal(value)
        }
    }

    @Test func `a rate estimator accepts any positions and times without a trap`() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<2_000 {
            var estimator = RateEstimator(
                numbers: (0..<10).map { _ in Self.double(&random) }, window: Self.double(&random))
            for _ in 0..<8 {
                let (position, time) = (Self.double(&random), Self.double(&random))
                estimator.observe(position, at: time)
                _ = estimator.estimate(remaining: Self.double(&random), at: Self.double(&random))
                _ = estimator.smoothedEstimate(remaining: Self.double(&random), at: Self.double(&random))
                _ = estimator.smoothedRate(at: Self.double(&random))
                _ = estimator.isStalled(at: Self.double(&random))
            }
        }
    }

    @Test(arguments: [
        (String(repeating: "{", count: 4_096), false), (String(repeating: "{,", count: 2_048), false),
        (String(repeating: "{", count: 4_000) + "n, plural, other {#}}", true),
        ("{" + String(repeating: "n", count: 80) + ", plural, other {#}}", true), ("{n , plural , other {#}}", true),
    ])
    func `a label of 4096 braces is checked for a message in linear time`(text: String, isMessage: Bool) {
        #expect(TickerLabel.isMessage(text) == isMessage)
    }
}
