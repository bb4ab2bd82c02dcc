// Numbers that a label can show, converted without a cast and without losing digits.

// FoundationEssentials would suffice, except for CGFloat.
public import Foundation
public import Labels

/// A number that a label can show at the end of its motion.
public protocol TickerTarget: Sendable {
    /// The number to show; nil if it is infinite, NaN, or longer than 38 digits.
    var exact: ExactDecimal? { get }
}

extension TickerTarget where Self: BinaryInteger {
    /// All its digits; nil for more than 38.
    public var exact: ExactDecimal? { ExactDecimal(parsing: description) }
}

extension TickerTarget where Self: BinaryFloatingPoint {
    /// The number with the digits that a double holds for certain: 15, those before the point first. So 0.1 + 0.2 is 0.3, and
    /// 1.2e-25, the rest of a subtraction, is 0.
    public var exact: ExactDecimal? { Double(self).rounded(Double(self).description) }
}

extension Double {
    /// The decimal digits of any number that survive its conversion to a double and back (C's DBL_DIG).
    private static let certainDigits = 15

    /// - Parameter text: its shortest decimal.
    fileprivate func rounded(_ text: String) -> ExactDecimal? {
        guard isFinite else { return nil }
        var (decimals, rest) = (Self.certainDigits, magnitude)
        while rest >= 1, decimals > 0 { (decimals, rest) = (decimals - 1, rest / 10) }
        return ExactDecimal(parsing: text.utf8, roundedTo: decimals)
    }
}

extension Int: TickerTarget {}
extension Int8: TickerTarget {}
extension Int16: TickerTarget {}
extension Int32: TickerTarget {}
extension Int64: TickerTarget {}
extension UInt: TickerTarget {}
extension UInt8: TickerTarget {}
extension UInt16: TickerTarget {}
extension UInt32: TickerTarget {}
extension UInt64: TickerTarget {}
extension Double: TickerTarget {}

extension Float: TickerTarget {
    /// The shortest decimal that reads back as the same float: 0.1 is 0.1, not 0.10000000149. At most 15 decimals, as a double.
    public var exact: ExactDecimal? { Double(self).rounded(description) }
}

extension ExactDecimal: TickerTarget {
    /// The number itself.
    public var exact: ExactDecimal? { self }
}

extension CGFloat: TickerTarget {}

extension Decimal: TickerTarget {
    /// All its digits, and at most 38 decimals: a thirtieth has 39. Nil for NaN.
    public var exact: ExactDecimal? { ExactDecimal(parsing: description.utf8, roundedTo: ExactDecimal.maximumDigits) }
}
