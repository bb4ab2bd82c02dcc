// Conversions at and beyond the ends of what an integer holds.

import Base
import Testing

@Suite struct SaturatingConversionTests {
    static let cases: [(Double, Int64)] = [
        (0, 0), (1.9, 1), (-1.9, -1), (0x1p62, 1 << 62), (0x1p63, .max), (-0x1p63, .min), (1e308, .max),
        (-1e308, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0), (.leastNonzeroMagnitude, 0),
        (Double(Int64.max).nextDown, 9_223_372_036_854_774_784),
    ]

    @Test(arguments: cases)
    func `a double saturates to the nearest Int64`(value: Double, expected: Int64) {
        #expect(Int64(saturating: value) == expected)
    }

    @Test(arguments: [(-1.0, UInt8(0)), (255, 255), (255.5, 255), (256, 255), (-0.5, 0)])
    func `a double saturates to the nearest UInt8`(value: Double, expected: UInt8) {
        #expect(UInt8(saturating: value) == expected)
    }

    @Test func `integer sums, differences and products saturate`() {
        #expect(Int64.max.addingSaturated(1) == .max)
        #expect(Int64.min.addingSaturated(-1) == .min)
        #expect(Int64.min.subtractingSaturated(1) == .min)
        #expect(Int64.max.subtractingSaturated(-1) == .max)
        #expect(Int64(5).addingSaturated(-7) == -2)
        #expect(Int64.max.multipliedSaturated(by: 2) == .max)
        #expect(Int64.max.multipliedSaturated(by: -2) == .min)
        #expect(Int64(-3).multipliedSaturated(by: -4) == 12)
    }
}
