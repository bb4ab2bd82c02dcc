// Foundation's decimal numbers to exact ones and back, digit for digit.

public import Labels

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ExactDecimal {
    /// All digits of a decimal; nil where it is not a number, or needs more than 38 digits.
    public init?(_ value: Decimal) {
        self.init(parsing: value.description)
    }
}

extension Decimal {
    /// All digits of an exact decimal, which has no more than a `Decimal` can hold.
    public init(_ value: ExactDecimal) {
        self = Decimal(string: value.description) ?? .nan
    }
}
