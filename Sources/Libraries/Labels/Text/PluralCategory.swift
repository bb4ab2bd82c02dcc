// CLDR's plural categories, and the operands that decide them.

/// CLDR's six plural categories; every language uses `other`, most use few more.
public enum PluralCategory: String, Hashable, Sendable, CaseIterable {
    /// Arabic 0, Latvian 10.
    case zero
    /// English 1, French 0 and 1.
    case one
    /// Arabic 2, Slovenian 102.
    case two
    /// Polish 3, Arabic 5.
    case few
    /// Polish 5, Arabic 11.
    case many
    /// Everything else; in some languages every number.
    case other
}

/// A shown number as operands of plural rules (UTS 35, Part 3, section 5.1.1). The text counts, not the value.
public struct PluralOperands: Hashable, Sendable {
    /// The digits before the point. Saturates in a way that keeps the last six digits' meaning (see `init`).
    public var i: UInt64
    /// The number of digits after the point, zeros included.
    public var v: Int
    /// The digits after the point, without trailing zeros.
    public var t: UInt64
    /// The digits after the point, with trailing zeros.
    public var f: UInt64
    /// The exponent of compact notation (6 for `2 M`), else 0.
    public var e: Int

    /// Creates the operands of a number; an integer only needs its digits.
    public init(i: UInt64, v: Int = 0, t: UInt64 = 0, f: UInt64 = 0, e: Int = 0) {
        self.i = i
        self.v = v
        self.t = t
        self.f = f
        self.e = e
    }

    /// Whether the fraction is zero, so that `n` equals `i`.
    var isInteger: Bool { t == 0 }
}
