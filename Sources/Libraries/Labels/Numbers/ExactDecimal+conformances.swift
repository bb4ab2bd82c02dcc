// Exact decimals among other values: as text and as doubles.

extension ExactDecimal: LosslessStringConvertible {
    /// Reads a plain decimal such as `-12.50` and keeps its scale; nil as for ``init(parsing:)-(String)``.
    public init?(_ description: String) {
        self.init(parsing: description)
    }
}

extension Double {
    /// The nearest double, ties to even.
    public init(_ value: ExactDecimal) {
        self = value.double
    }
}
