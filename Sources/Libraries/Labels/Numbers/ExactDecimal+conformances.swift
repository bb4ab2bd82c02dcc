// Converts exact decimals from text and to doubles.

extension ExactDecimal: LosslessStringConvertible {
    /// Parses a plain decimal such as `-12.50` and keeps its scale; nil as for ``init(parsing:)-(String)``.
    public init?(_ description: String) {
        self.init(parsing: description)
    }
}

extension Double {
    /// Returns the nearest double, ties to even.
    public init(_ value: ExactDecimal) {
        self = value.double
    }
}
