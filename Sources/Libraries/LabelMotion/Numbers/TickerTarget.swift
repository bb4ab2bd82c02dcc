// Numbers that a label can show, converted without a cast and without losing digits.

// FoundationEssentials would suffice, except for CGFloat.
public import Foundation
public import Labels

/// A number that a label can show at the end of its motion.
public protocol TickerTarget: Sendable {
    /// The exact number; nil if it is infinite, NaN, or longer than 38 digits.
    var exact: ExactDecimal? { get }
}

extension TickerTarget where Self: BinaryInteger {
    /// All its digits; nil for more than 38.
    public var exact: ExactDecimal? { ExactDecimal(parsing: description) }
}

extension TickerTarget where Self: BinaryFloatingPoint {
    /// The shortest decimal that reads back as the same double.
    public var exact: ExactDecimal? { ExactDecimal(Double(self)) }
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
    /// The shortest decimal that reads back as the same float: 0.1 is 0.1, not 0.10000000149.
    public var exact: ExactDecimal? { ExactDecimal(jsonNumber: Array(description.utf8)) }
}

extension ExactDecimal: TickerTarget {
    /// The number itself.
    public var exact: ExactDecimal? { self }
}

extension CGFloat: TickerTarget {}

extension Decimal: TickerTarget {
    /// All its digits; nil for NaN.
    public var exact: ExactDecimal? { ExactDecimal(self) }
}
