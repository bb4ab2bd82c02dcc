// A decimal number of up to 38 digits, kept exactly: the last frame shows what a client wrote. It adds, compares and rounds;
// it is no calculator, and not used for frames between two targets.

/// An exact decimal: `coefficient / 10^scale`, with at most 38 significant digits and a scale of 0 to 38.
///
/// Equality, order and hash use the value (`5.00 == 5`); the scale is kept as written.
public struct ExactDecimal: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// All digits as one integer; less than 10^38 in magnitude.
    public let coefficient: Int128
    /// Digits after the point, 0...38.
    public let scale: Int

    /// The largest number of digits kept.
    public static let maximumDigits = 38
    /// 0, without decimals.
    public static let zero = ExactDecimal(0)

    init(unchecked coefficient: Int128, scale: Int) {
        self.coefficient = coefficient
        self.scale = scale
    }

    /// Creates `coefficient / 10^scale`; nil beyond 38 digits or outside the scale's range.
    public init?(coefficient: Int128, scale: Int) {
        guard (0...Self.maximumDigits).contains(scale), coefficient.magnitude < PowersOfTen.wide(Self.maximumDigits)
        else { return nil }
        self.init(unchecked: coefficient, scale: scale)
    }

    /// Creates an integer.
    public init(_ value: Int) {
        self.init(unchecked: Int128(value), scale: 0)
    }

    /// Whether it is less than 0.
    public var isNegative: Bool { coefficient < 0 }
    /// Whether it is 0.
    public var isZero: Bool { coefficient == 0 }

    /// The same value without trailing zeros after the point.
    public var normalized: ExactDecimal {
        var coefficient = coefficient
        var scale = scale
        while scale > 0 {
            let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: 10)
            if remainder != 0 { break }
            coefficient = quotient
            scale -= 1
        }
        return ExactDecimal(unchecked: coefficient, scale: scale)
    }

    /// The nearest double, ties to even.
    public var double: Double {
        // If both are exact doubles, one division is correctly rounded (Clinger's fast path).
        if coefficient.magnitude <= 1 << 53, scale <= 22 {
            return Double(Int64(truncatingIfNeeded: coefficient)) / PowersOfTen.double(scale)
        }
        return Double(description) ?? 0
    }

    /// The digits, with a point if there is a scale; no exponent, never `-0`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `description`.
    package func append(to bytes: inout [UInt8]) {
        // Nearly all are short and need no string.
        if let units = UInt64(exactly: coefficient.magnitude), scale < Self.wordDigits {
            bytes.append(room: Self.wordRoom) { out, start in put(units, into: &out, at: start) }
        } else {
            appendLong(to: &bytes)
        }
    }

    /// Decimals that fit into a word.
    private static let wordDigits = 20
    /// A sign, 20 digits, a point, and what the last word writes beyond the end.
    private static let wordRoom = 48

    private func put(_ units: UInt64, into out: inout MutableRawSpan, at start: Int) -> Int {
        var place = isNegative ? out.put(UInt64(ASCII.minus), count: 1, at: start) : start
        guard scale > 0 else { return out.put(whole: units, at: place) }
        let (whole, rest) = units.quotientAndRemainder(dividingBy: PowersOfTen.narrow(scale))
        place = out.put(whole: whole, at: place)
        return out.put(digits: rest, count: scale, at: out.put(UInt64(ASCII.point), count: 1, at: place))
    }

    private func appendLong(to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + Self.maximumDigits + 3)
        if isNegative { bytes.append(ASCII.minus) }
        let digits = Array(String(coefficient.magnitude).utf8)
        let padding = scale + 1 - digits.count
        let padded = padding > 0 ? [UInt8](repeating: ASCII.zero, count: padding) + digits : digits
        bytes += padded.dropLast(scale)
        if scale > 0 {
            bytes.append(ASCII.point)
            bytes += padded.suffix(scale)
        }
    }
}

// MARK: - By value

extension ExactDecimal {
    /// Returns whether two values are equal, whatever their scales.
    public static func == (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left.scale == right.scale { return left.coefficient == right.coefficient }
        let (left, right) = (left.normalized, right.normalized)
        return left.coefficient == right.coefficient && left.scale == right.scale
    }

    /// Hashes the value; `5.00` and `5` are equal.
    public func hash(into hasher: inout Hasher) {
        let value = normalized
        hasher.combine(value.coefficient)
        hasher.combine(value.scale)
    }

    /// Returns whether a value is less than another, exactly.
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        let (leftWhole, leftRest) = left.split
        let (rightWhole, rightRest) = right.split
        if leftWhole != rightWhole { return leftWhole < rightWhole }
        return leftRest < rightRest
    }

    /// The part before the point, and the part after it as a multiple of 10^-38 (which always fits).
    private var split: (whole: Int128, rest: Int128) {
        let power = Int128(PowersOfTen.wide(scale))
        let (whole, rest) = coefficient.quotientAndRemainder(dividingBy: power)
        return (whole, rest * Int128(PowersOfTen.wide(Self.maximumDigits - scale)))
    }
}

// MARK: - Arithmetic

extension ExactDecimal {
    /// Returns the exact sum, in the larger of the two scales or, where only that fits, without trailing zeros; nil if it
    /// needs more than 38 digits.
    public func adding(_ other: ExactDecimal) -> ExactDecimal? {
        if let sum = sum(with: other) { return sum }
        // It may fit without trailing zeros.
        return normalized.sum(with: other.normalized)
    }

    /// Returns the same digits with the other sign.
    public static prefix func - (value: ExactDecimal) -> ExactDecimal {
        ExactDecimal(unchecked: -value.coefficient, scale: value.scale)
    }

    /// The value without its sign.
    public var magnitude: ExactDecimal { isNegative ? -self : self }

    private func sum(with other: ExactDecimal) -> ExactDecimal? {
        let scale = max(scale, other.scale)
        guard let left = raised(to: scale), let right = other.raised(to: scale) else { return nil }
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? nil : ExactDecimal(coefficient: sum, scale: scale)
    }

    private func raised(to scale: Int) -> Int128? {
        let (product, overflow) = coefficient.multipliedReportingOverflow(
            by: Int128(PowersOfTen.wide(scale - self.scale)))
        return overflow ? nil : product
    }

    /// Returns the value with at most `decimals` digits after the point, rounded by `rule`. Never pads with zeros.
    public func rounded(to decimals: Int, _ rule: RoundingRule = .halfExpand) -> ExactDecimal {
        let decimals = max(0, decimals)
        guard decimals < scale else { return self }
        let power = PowersOfTen.wide(scale - decimals)
        let (quotient, remainder) = coefficient.magnitude.quotientAndRemainder(dividingBy: power)
        let up = rule.roundsUp(
            remainder: remainder, of: power, isOdd: !quotient.isMultiple(of: 2), isNegative: isNegative)
        let rounded = Int128(quotient + (up ? 1 : 0))
        return ExactDecimal(unchecked: isNegative ? -rounded : rounded, scale: decimals)
    }
}
