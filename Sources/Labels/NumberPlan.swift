// A number format compiled to bytes: what the frame path needs, and nothing that needs a locale.

/// How a number becomes text.
public struct NumberPlan: Hashable, Sendable {
    /// Digits after the point, always shown; 0 to 20.
    public var decimals: Int
    /// Digits between two separators; 0 groups nothing.
    public var groupSize: Int
    public var groupSeparator: [UInt8]
    public var decimalSeparator: [UInt8]

    /// No locale: digits, `-`, `.` and, grouped, `,` every three digits.
    public static func plain(decimals: Int, grouped: Bool = false) -> NumberPlan {
        NumberPlan(
            decimals: min(max(decimals, 0), 20), groupSize: grouped ? 3 : 0, groupSeparator: [UInt8(ascii: ",")],
            decimalSeparator: [UInt8(ascii: ".")])
    }

    /// Half a unit of the last shown digit.
    public var halfUnit: Double { 0.5 / Double(ExactDecimal.powers[decimals]) }

    /// Appends a double, rounding its shortest decimal half away from zero; never `-0`.
    public func append(_ value: Double, to bytes: inout [UInt8]) {
        let scaled = value * Double(ExactDecimal.powers[decimals])
        let nearest = scaled.rounded(.toNearestOrAwayFromZero)
        // Far from a tie and within the exact integers the product's error can't matter; else go by the decimal.
        if scaled.magnitude < 1e15, abs(abs(scaled - nearest) - 0.5) > 1e-3 {
            append(magnitude: UInt128(nearest.magnitude), isNegative: nearest < 0, to: &bytes)
        } else if let exact = ExactDecimal(value) {
            append(exact, to: &bytes)
        } else if value.magnitude < 1 {
            append(magnitude: 0, isNegative: false, to: &bytes)
        } else {
            appendHuge(value, to: &bytes)
        }
    }

    /// Appends an exact number, rounding half away from zero.
    public func append(_ value: ExactDecimal, to bytes: inout [UInt8]) {
        let magnitude = value.coefficient.magnitude
        if value.scale > decimals {
            let unit = ExactDecimal.powers[value.scale - decimals].magnitude
            let (quotient, rest) = magnitude.quotientAndRemainder(dividingBy: unit)
            let rounded = rest >= unit - rest ? quotient + 1 : quotient
            append(magnitude: rounded, isNegative: value.coefficient < 0, to: &bytes)
        } else {
            append(
                magnitude: magnitude, zeros: decimals - value.scale, isNegative: value.coefficient < 0, to: &bytes)
        }
    }

    /// - Parameter zeros: Further digits after those of the magnitude, all zero.
    private func append(magnitude: UInt128, zeros: Int = 0, isNegative: Bool, to bytes: inout [UInt8]) {
        if isNegative, magnitude != 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = magnitude
        var written = 0
        var whole = 0
        while written <= decimals || rest > 0 {
            if written == decimals, decimals > 0 { bytes.append(contentsOf: decimalSeparator.reversed()) }
            if written >= decimals {
                if groupSize > 0, whole > 0, whole % groupSize == 0 {
                    bytes.append(contentsOf: groupSeparator.reversed())
                }
                whole += 1
            }
            if written < zeros {
                bytes.append(UInt8(ascii: "0"))
            } else {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                bytes.append(UInt8(ascii: "0") + UInt8(digit))
                rest = quotient
            }
            written += 1
        }
        bytes[start...].reverse()
    }

    /// A double beyond 38 digits: its own digits, then zeros.
    private func appendHuge(_ value: Double, to bytes: inout [UInt8]) {
        let parts = value.magnitude.description.split(separator: "e")
        let digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(contentsOf: digits)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, exponent + 1 - digits.count)))
    }
}
