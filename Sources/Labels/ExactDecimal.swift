// A decimal number held exactly: what targets and sums are made of, so that the last frame shows what was posted.

/// A coefficient of up to 38 digits and a scale: value = coefficient / 10^scale. Numbers of equal value are equal
/// whatever their scale.
public struct ExactDecimal: Sendable {
    /// The most significant digits, and the most digits after the point.
    public static let maximumDigits = 38

    /// The digits as a whole number.
    public let coefficient: Int128
    /// Digits after the point, 0 to 38.
    public let scale: Int

    init(coefficient: Int128, scale: Int) {
        self.coefficient = coefficient
        self.scale = scale
    }

    /// 10^0 to 10^38.
    static let powers: [Int128] = {
        var powers: [Int128] = [1]
        for _ in 0..<maximumDigits { powers.append(powers[powers.count - 1] * 10) }
        return powers
    }()

    /// Reads a plain decimal such as `-12.50`, keeping its scale as written; nil for anything else.
    public init?(parsing text: some StringProtocol) {
        self.init(plain: Array(text.utf8)[...])
    }

    init?(plain bytes: ArraySlice<UInt8>) {
        var coefficient: Int128 = 0
        var scale = 0
        var digits = 0
        var seenPoint = false
        var rest = bytes
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        for byte in rest {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if coefficient != 0 || byte != UInt8(ascii: "0") { digits += 1 }
                if seenPoint { scale += 1 }
                guard digits <= Self.maximumDigits, scale <= Self.maximumDigits else { return nil }
                coefficient = coefficient * 10 + Int128(byte - UInt8(ascii: "0"))
            case UInt8(ascii: ".") where !seenPoint: seenPoint = true
            default: return nil
            }
        }
        let first = rest.first ?? 0, last = rest.last ?? 0
        guard first != UInt8(ascii: "."), last != UInt8(ascii: "."), !rest.isEmpty else { return nil }
        self.init(coefficient: isNegative ? -coefficient : coefficient, scale: scale)
    }

    /// Reads a JSON number; its scale counts by value (5.00 has none, 1.5e-7 has 8).
    /// Nil where it needs more than 38 digits.
    public init?(jsonNumber lexeme: some Collection<UInt8>) {
        let parts = lexeme.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        guard let mantissa = parts.first, let number = ExactDecimal(plain: Array(mantissa)[...]) else { return nil }
        var exponent = 0
        if parts.count == 2 {
            var digits = Array(parts[1])
            if digits.first == UInt8(ascii: "+") { digits.removeFirst() }
            guard let value = Int(String(decoding: digits, as: UTF8.self)), abs(value) < 10_000 else {
                guard number.coefficient == 0 else { return nil }
                self.init(coefficient: 0, scale: 0)
                return
            }
            exponent = value
        }
        self.init(number.coefficient, scaledBy: exponent - number.scale)
    }

    /// The shortest decimal that reads back as the double; nil for infinities, NaN and what needs over 38 digits.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.init(jsonNumber: Array(value.description.utf8))
    }

    /// coefficient x 10^exponent, with the least scale that holds it.
    private init?(_ value: Int128, scaledBy exponent: Int) {
        var coefficient = value
        var exponent = exponent
        while exponent < 0, coefficient != 0, coefficient % 10 == 0 {
            coefficient /= 10
            exponent += 1
        }
        if coefficient == 0 { exponent = 0 }
        guard exponent >= -Self.maximumDigits, exponent <= Self.maximumDigits else { return nil }
        if exponent > 0 {
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: Self.powers[exponent])
            guard !overflow, product.magnitude < Self.powers[38].magnitude else { return nil }
            self.init(coefficient: product, scale: 0)
        } else {
            self.init(coefficient: coefficient, scale: -exponent)
        }
    }

    /// The nearest double.
    public var double: Double { Double(description) ?? 0 }

    /// The exact sum, with the greater scale; nil where it needs more than 38 digits.
    public func adding(_ other: ExactDecimal) -> ExactDecimal? {
        let scale = max(scale, other.scale)
        guard let one = rescaled(to: scale), let two = other.rescaled(to: scale) else { return nil }
        let (sum, overflow) = one.addingReportingOverflow(two)
        guard !overflow, sum.magnitude < Self.powers[38].magnitude else { return nil }
        return ExactDecimal(coefficient: sum, scale: scale)
    }

    /// The coefficient at a scale not below its own; nil on overflow.
    func rescaled(to wanted: Int) -> Int128? {
        let (product, overflow) = coefficient.multipliedReportingOverflow(by: Self.powers[wanted - scale])
        return overflow ? nil : product
    }
}

extension ExactDecimal: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) {
        self.init(coefficient: Int128(value), scale: 0)
    }
}

extension ExactDecimal: Comparable, Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.order(right) == 0 }
    public static func < (left: Self, right: Self) -> Bool { left.order(right) < 0 }

    public func hash(into hasher: inout Hasher) {
        var (value, digits) = (coefficient, scale)
        while digits > 0, value % 10 == 0 { (value, digits) = (value / 10, digits - 1) }
        hasher.combine(value)
        hasher.combine(digits)
    }

    private func order(_ other: ExactDecimal) -> Int {
        let one = coefficient / Self.powers[scale]
        let two = other.coefficient / Self.powers[other.scale]
        if one != two { return one < two ? -1 : 1 }
        // The fractions fit once the whole parts are gone.
        let common = max(scale, other.scale)
        let left = (coefficient % Self.powers[scale]) * Self.powers[common - scale]
        let right = (other.coefficient % Self.powers[other.scale]) * Self.powers[common - other.scale]
        return left == right ? 0 : left < right ? -1 : 1
    }
}

extension ExactDecimal: CustomStringConvertible {
    /// The number as written, without an exponent and never `-0`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the number as written.
    public func append(to bytes: inout [UInt8]) {
        if coefficient < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = coefficient.magnitude
        var digits = 0
        repeat {
            if digits == scale, scale > 0 { bytes.append(UInt8(ascii: ".")) }
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            rest = quotient
            digits += 1
        } while rest > 0 || digits <= scale
        bytes[start...].reverse()
    }
}
