// Exact decimals: reading, order, sums, rounding and text.

import Foundation
import Labels
import TestSupport
import Testing

struct ExactDecimalTests {
    @Test(arguments: [
        "0", "-12.50", "0.00000000000000000000000000000000000001", "99999999999999999999999999999999999999",
    ])
    func `an exact decimal reads back from text and JSON with every digit`(text: String) throws {
        let value = try #require(ExactDecimal(text))
        let copy = try JSONDecoder().decode(ExactDecimal.self, from: JSONEncoder().encode(value))
        #expect(copy.description == text && String(copy) == text)
    }

    @Test func `an exact decimal converts to Double, and malformed JSON is refused`() throws {
        #expect(Double(ExactDecimal(12)) == 12 && ExactDecimal("1e5") == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ExactDecimal.self, from: Data(#""1e5""#.utf8))
        }
    }

    @Test(arguments: [
        ("0", "0", 0), ("-0", "0", 0), ("-0.00", "0.00", 2), ("-12.50", "-12.50", 2), ("007", "7", 0),
        ("0.05", "0.05", 2),
        ("12345678901234567890.12", "12345678901234567890.12", 2), ("100000000000", "100000000000", 0),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999", 0),
        ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001", 38),
    ])
    func `a plain decimal text keeps its number of decimals`(text: String, description: String, scale: Int) throws {
        let value = try #require(ExactDecimal(parsing: text))
        #expect(value.description == description)
        #expect(value.scale == scale)
    }

    @Test(arguments: [
        "", "-", ".5", "5.", "+5", "1e5", " 5", "5 ", "1,234", "--5", "0x1F", "nan", "inf", "1.2.3", "٣",
        "100000000000000000000000000000000000000", "0.000000000000000000000000000000000000001",
    ])
    func `what is no plain decimal of 38 digits is refused`(text: String) {
        #expect(ExactDecimal(parsing: text) == nil)
    }

    @Test(arguments: [
        ("5.00", "5", 0), ("157.83", "157.83", 2), ("1.5e-7", "0.00000015", 8), ("1E3", "1000", 0),
        ("12.5e1", "125", 0),
        ("0e999999999999", "0", 0), ("1200e-2", "12", 0), ("-0", "0", 0), ("-0.0", "0", 0),
        ("1e37", "1" + .zeros(37), 0),
        ("0.10e1", "1", 0), ("1" + .zeros(30) + "e-30", "1", 0),
    ])
    func `a JSON number's trailing zeros and exponent don't count as decimals`(
        text: String, description: String, scale: Int
    ) throws {
        let value = try #require(ExactDecimal(jsonNumber: text.utf8))
        #expect(value.description == description)
        #expect(value.scale == scale)
    }

    @Test(arguments: [
        "1e38", "1e999", "1e-39", "01", "-", "1.", ".1", "1e", "1e+", "NaN", "1" + .zeros(38), "1e99999999999999999999",
    ])
    func `a JSON number that is malformed or needs over 38 digits is refused`(text: String) {
        #expect(ExactDecimal(jsonNumber: text.utf8) == nil)
    }

    @Test(arguments: [
        (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"), (5.0, "5"), (1e19, "10000000000000000000"),
        (1.5e-7, "0.00000015"),
        (-2.5, "-2.5"), (-0.0, "0"), (9_007_199_254_740_992, "9007199254740992"),
    ])
    func `a double converts to its shortest decimal`(value: Double, description: String) throws {
        #expect(try #require(ExactDecimal(value)).description == description)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e38, -1e300, 1e-300])
    func `a double without a decimal of 38 digits is refused`(value: Double) {
        #expect(ExactDecimal(value) == nil)
    }

    @Test func `decimals are equal and hash alike by value, not by scale`() throws {
        let short = try #require(ExactDecimal(parsing: "5"))
        let long = try #require(ExactDecimal(parsing: "5.000"))
        #expect(short == long)
        #expect(Set([short, long]).count == 1)
        #expect(short != ExactDecimal(parsing: "5.001"))
    }

    @Test func `decimals are ordered by value`() throws {
        let texts = [
            "-10", "-9.99", "-0.01", "0.00", "0.009", "0.01", "1", "1.00000000000000000000000000000000001", "9.5", "12",
        ]
        let values = try texts.map { try #require(ExactDecimal(parsing: $0)) }
        for (index, left) in values.enumerated() {
            for (other, right) in values.enumerated() {
                #expect((left < right) == (index < other), "\(left) < \(right)")
            }
        }
    }

    @Test(arguments: [
        ("0.1", "0.2", "0.3"), ("1", "-0.01", "0.99"), ("12345678901234567890.12", "0.01", "12345678901234567890.13"),
        ("-5", "5", "0"), ("0.50", "0.5", "1.00"),
    ])
    func `sums are exact`(left: String, right: String, sum: String) throws {
        let left = try #require(ExactDecimal(parsing: left))
        let right = try #require(ExactDecimal(parsing: right))
        #expect(left.adding(right)?.description == sum)
        #expect(right.adding(left)?.description == sum)
    }

    @Test func `a sum beyond 38 digits is nil, not wrong`() throws {
        let huge = try #require(ExactDecimal(parsing: String(repeating: "9", count: 38)))
        #expect(huge.adding(ExactDecimal(1)) == nil)
        #expect(huge.adding(try #require(ExactDecimal(parsing: "0.1"))) == nil)
        #expect(huge.adding(try #require(ExactDecimal(parsing: "0.00"))) == huge)
    }

    @Test func `the double of a decimal is correctly rounded`() throws {
        for text in ["0.1", "1.005", "123456789012345678901234567890", "0.30000000000000004", "9007199254740993", "0"] {
            #expect(try #require(ExactDecimal(parsing: text)).double == Double(text))
        }
        var random = SeededRandom(seed: 7)
        for _ in 0..<2_000 {
            let value = Double.random(in: -1e9...1e9, using: &random)
            #expect(try #require(ExactDecimal(value)).double == value)
        }
    }

    @Test(arguments: [
        (RoundingRule.halfExpand, ["-3", "-2", "-2", "2", "2", "3", "3"]),
        (.halfEven, ["-2", "-2", "-2", "2", "2", "2", "3"]),
        (.halfTrunc, ["-2", "-2", "-2", "2", "2", "2", "3"]), (.halfCeil, ["-2", "-2", "-2", "2", "2", "3", "3"]),
        (.halfFloor, ["-3", "-2", "-2", "2", "2", "2", "3"]), (.ceil, ["-2", "-2", "-2", "2", "3", "3", "3"]),
        (.floor, ["-3", "-3", "-2", "2", "2", "2", "2"]), (.expand, ["-3", "-3", "-2", "2", "3", "3", "3"]),
        (.trunc, ["-2", "-2", "-2", "2", "2", "2", "2"]),
    ])
    func `every rounding rule rounds as Intl does`(rule: RoundingRule, expected: [String]) throws {
        let values = ["-2.5", "-2.1", "-2.0", "2.0", "2.4", "2.50", "2.51"]
        for (text, rounded) in zip(values, expected) {
            let value = try #require(ExactDecimal(parsing: text))
            #expect(value.rounded(to: 0, rule).description == rounded, "\(text) by \(rule)")
        }
    }
}

extension String {
    static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}
