// Why a text or a set of parameters is not an easing. Carries what a caller can show to the person who wrote it.

/// What is wrong with an easing.
public enum EasingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No easing has this name (shortened when it is long).
    case unknownName(String)
    /// The text does not follow the easing's syntax; says what was expected.
    case malformed(String)
    /// A parameter lies outside its range; says which and what is allowed.
    case outOfRange(String)

    /// A sentence for whoever gave it.
    public var description: String {
        switch self {
        case .unknownName(let name): "unknown easing \"\(name)\"; try easeOut, power-out(2), back-in, steps(4)"
        case .malformed(let expectation): expectation
        case .outOfRange(let rule): rule
        }
    }
}
