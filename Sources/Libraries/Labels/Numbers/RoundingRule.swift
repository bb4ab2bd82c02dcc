// How a number is rounded to its last shown digit, under the names that Intl.NumberFormat uses.

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

    /// True for the modes that look at the half; the others only ask whether anything was cut off.
    var isHalf: Bool {
        switch self {
        case .ceil, .floor, .expand, .trunc: false
        case .halfCeil, .halfFloor, .halfExpand, .halfTrunc, .halfEven: true
        }
    }

    /// Whether a magnitude with something left over grows by one (directed modes).
    func expands(isNegative: Bool) -> Bool {
        switch self {
        case .ceil: !isNegative
        case .floor: isNegative
        case .expand: true
        default: false
        }
    }

    /// Whether a magnitude exactly on the half grows by one.
    func tieExpands(isOdd: Bool, isNegative: Bool) -> Bool {
        switch self {
        case .halfExpand: true
        case .halfEven: isOdd
        case .halfCeil: !isNegative
        case .halfFloor: isNegative
        default: false
        }
    }

    /// Whether the quotient of a magnitude grows by one, from the exact remainder of a division by `divisor`.
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
