// Doubles as JSON has them: the shortest text that reads back as the same double.

import Testing

@testable import Wire

@Suite struct NumberTextTests {
    private func text(_ value: Double) -> String {
        var bytes: [UInt8] = []
        NumberText.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (0.1, "0.1"), (-0.1, "-0.1"), (0.3, "0.3"), (0.1 + 0.2, "0.30000000000000004"), (123.456, "123.456"),
        (1e15 + 0.5, "1000000000000000.5"), (0.00001, "0.00001"), (1.5, "1.5"), (2.5e-5, "0.000025"), (100, "100"),
        (1e23, "1e+23"), (.leastNonzeroMagnitude, "5e-324"), (0.5, "0.5"), (1e-7, "1e-07"),
        (.infinity, "null"), (-.nan, "null"), (-0.0, "0"), (2_251_799_813_685_248.5, "2251799813685248.5"),
    ])
    func `a double is written in the form that people write`(value: Double, expected: String) {
        #expect(text(value) == expected)
    }

    @Test func `a short number is read as the nearest double`() throws {
        var state: UInt64 = 1
        for _ in 0..<50_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Up to 16 digits, one more than are read at once, with the point anywhere among them.
            var text = String(String(state >> 4).prefix(Int(state >> 60) + 1))
            let place = Int(state >> 40) % (text.count + 1)
            if place > 0, place < text.count { text.insert(".", at: text.index(text.startIndex, offsetBy: place)) }
            let document = try JSONDocument(Array(text.utf8))
            guard let value = document.shortNumber(at: document.root.range) else { continue }
            #expect(value == Double(text), "\(text)")
        }
        for other in ["-1", "1e3", "1234567890123456"] {
            let document = try JSONDocument(Array(other.utf8))
            #expect(document.shortNumber(at: document.root.range) == nil)
        }
    }

    @Test func `a million random doubles read back equal and are written as Swift writes them`() {
        var state: UInt64 = 1
        var different = 0
        for index in 0..<1_000_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Every size and sign, with many digits and with few.
            let random = Double(state >> 11) / 0x1p53
            var value = random * PowersForTests.ten[index % 19]
            if index % 3 == 0 { value = (value * 1_000).rounded() / 1_000 }
            if index % 7 == 0 { value = 0 - value }
            let text = text(value)
            guard Double(text) == value else {
                Issue.record("\(value) became \(text)")
                return
            }
            let plain = value.description
            // The library writes small numbers with an exponent, and whole ones with a point.
            if !plain.contains("e"), text != (plain.hasSuffix(".0") ? String(plain.dropLast(2)) : plain) {
                different += 1
            }
        }
        #expect(different == 0)
    }

    @Test func `a tie between two shortest decimals goes to the even digit`() {
        for whole in [1_125_899_906_842_624.0, 1_125_899_906_842_625, 2_251_799_813_685_247, 562_949_953_421_312] {
            for quarter in [0.125, 0.25, 0.375, 0.5, 0.75] where (whole + quarter).rounded() != whole + quarter {
                #expect(text(whole + quarter) == (whole + quarter).description)
            }
        }
    }

    @Test func `doubles next to powers of two and of ten read back`() {
        for exponent in -16...52 {
            for value in [
                Double(sign: .plus, exponent: exponent, significand: 1), PowersForTests.ten[(exponent + 16) % 19],
            ] {
                for neighbour in [value.nextDown, value, value.nextUp] { #expect(Double(text(neighbour)) == neighbour) }
            }
        }
    }
}

private enum PowersForTests {
    static let ten = [
        1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
    ]
}
