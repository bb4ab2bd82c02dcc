// How a number is rounded to its last shown digit, with the names of Intl.NumberFormat.

/// The nine rounding modes of ECMA-402; `half-expand` is the default everywhere.
public enum RoundingRule: String, Hashable, Sendable, CaseIterable {
    /// Toward positive infinity.
    case ceil
    /// Toward negative infinity.
    case floor
    /// Away from zero.
    case expand
    /// Toward zero.
    case trunc
    /// To the nearest, halves toward positive infinity.
    case halfCeil = "half-ceil"
    /// To the nearest, halves toward negative infinity.
    case halfFloor = "half-floor"
    /// To the nearest, halves away from zero.
    case halfExpand = "half-expand"
    /// To the nearest, halves toward zero.
    case halfTrunc = "half-trunc"
    /// To the nearest, halves to the even digit.
    case halfEven = "half-even"

    /// Whether the mode compares with the half; the others only check whether anything was cut off.
    var isHalf: Bool {
        switch self {
        case .ceil, .floor, .expand, .trunc: false
        case .halfCeil, .halfFloor, .halfExpand, .halfTrunc, .halfEven: true
        }
    }

    /// Returns whether a magnitude with a remainder grows by one (directed modes).
    func expands(isNegative: Bool) -> Bool {
        switch self {
        case .ceil: !isNegative
        case .floor: isNegative
        case .expand: true
        case .trunc, .halfCeil, .halfFloor, .halfExpand, .halfTrunc, .halfEven: false
        }
    }

    /// Returns whether a magnitude exactly on the half grows by one.
    func tieExpands(isOdd: Bool, isNegative: Bool) -> Bool {
        switch self {
        case .halfExpand: true
        case .halfEven: isOdd
        case .halfCeil: !isNegative
        case .halfFloor: isNegative
        case .halfTrunc, .ceil, .floor, .expand, .trunc: false
        }
    }

    /// Returns whether the quotient of a magnitude grows by one, given the exact remainder of a division by `divisor`.
    func roundsUp<T: UnsignedInteger & FixedWidthInteger>(
        remainder: T, of divisor: T, isOdd: Bool, isNegative: Bool
    ) -> Bool {
        guard remainder != 0 else { return false }
        guard isHalf else { return expands(isNegative: isNegative) }
        let rest = divisor - remainder
        if remainder != rest { return remainder > rest }
        return tieExpands(isOdd: isOdd, isNegative: isNegative)
    }
}
