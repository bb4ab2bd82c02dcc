// A number as it is sent: its decimal digits, exact.

/// A decimal number of any precision that the server takes: at most 38 digits.
public struct Amount: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    CustomStringConvertible
{
    /// `-12.50`
    let text: String

    /// - Parameter text: `250`, `-12.50`, `+5` or `.5`. How many decimals it has, the server shows.
    /// - Returns: nil if it is no such number.
    public init?(_ text: String) {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count == 1 || parts.last?.isEmpty == false, !digits.isEmpty,
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
        else { return nil }
        let fraction = parts.count == 2 ? ".\(parts[1])" : ""
        self.text = (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole) + fraction
    }

    public init(_ number: Int) { text = String(number) }

    /// - Parameter number: Finite; anything else is refused by the server.
    public init(_ number: Double) { text = String(number) }

    public init(integerLiteral number: Int) { self.init(number) }

    public init(floatLiteral number: Double) { self.init(number) }

    public var description: String { text }
}

extension Amount: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        // A string has its digits, and no exponent.
        if text.utf8.contains(UInt8(ascii: "e")), let number = Double(text) {
            try container.encode(number)
        } else {
            try container.encode(text)
        }
    }
}
