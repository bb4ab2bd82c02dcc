// Decimals as values that move: what lies between two amounts is an amount.

import FoundationEssentials
import LabelMotion
import Labels
import Testing
import Tween

@Suite(.timeLimit(.minutes(15))) struct DecimalTests {
    @Test(arguments: ["-0.01", "12345678901234567890123456789012345678", "0.00000000000000000000000000000000000001"])
    func `a Foundation Decimal converts to an exact decimal and back`(text: String) throws {
        let exact = try #require(ExactDecimal(parsing: text))
        let decimal = Decimal(exact)
        #expect(decimal == Decimal(string: text) && ExactDecimal(decimal) == exact)
        #expect(ExactDecimal(Decimal.nan) == nil)
    }

    @Test func `exact decimals interpolate with the finer end's number of decimals`() async throws {
        let (start, end) = try (#require(ExactDecimal(parsing: "0.10")), #require(ExactDecimal(parsing: "0.3")))
        var values: [String] = []
        let animator = Animator(duration: 1).from(start).to(end).framesPerSecond(8)
        for await value in animator.frames(on: ManualClock(skipsSleep: true)) { values.append(value.description) }
        #expect(values == ["0.10", "0.13", "0.15", "0.18", "0.20", "0.23", "0.25", "0.28", "0.3"])
    }

    @Test(arguments: [
        ("0", "99999999999999999999999999999999999999", 0.5),
        ("12345678901234567890.12", "12345678901234567891.12", 0.5),
        ("-99999999999999999999999999999999999999", "99999999999999999999999999999999999999", 0.25),
        ("0", "1", 1e300), ("0", "1", -1e300), ("0", "1", .infinity), ("0", "1", .nan), ("0", "0.00000001", 1e-9),
    ])
    func `exact decimals interpolate at any share and size without a trap`(start: String, end: String, share: Double)
        throws
    {
        let (start, end) = try (#require(ExactDecimal(parsing: start)), #require(ExactDecimal(parsing: end)))
        let value = ExactDecimal.interpolated(from: start, to: end, at: share)
        #expect(value.scale <= max(start.scale, end.scale))
        if (0...1).contains(share) { #expect(start <= value && value <= end) }
    }

    @Test func `long exact decimals keep all digits at both ends`() throws {
        let start = try #require(ExactDecimal(parsing: "12345678901234567890.12"))
        let end = try #require(ExactDecimal(parsing: "12345678901234567890.14"))
        #expect(ExactDecimal.interpolated(from: start, to: end, at: 0).description == start.description)
        #expect(ExactDecimal.interpolated(from: start, to: end, at: 1).description == end.description)
    }

    @Test func `a Foundation Decimal interpolates to exact ends`() async {
        let (start, end) = (Decimal(1), Decimal(string: "2.5") ?? 0)
        #expect(Decimal.interpolated(from: start, to: end, at: 0.5) == Decimal(string: "1.75"))
        #expect(Decimal.interpolated(from: start, to: end, at: 1) == end)
        var last: Decimal?
        for await value in Animator(duration: 1).from(start).to(end).frames(on: ManualClock(skipsSleep: true)) {
            last = value
        }
        #expect(last == end)
    }
}
