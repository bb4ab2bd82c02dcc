// Converts Foundation's decimals to exact ones and back, digit for digit.

public import Labels

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ExactDecimal {
    /// Creates an exact decimal with all digits; nil for NaN, and for more than 38 digits, or 38 after the point.
    public init?(_ value: Decimal) {
        self.init(parsing: value.description)
    }
}

extension Decimal {
    /// Creates a decimal with all digits of an exact one, which never has more than `Decimal` can hold.
    public init(_ value: ExactDecimal) {
        self = Decimal(string: value.description) ?? .nan
    }
}
