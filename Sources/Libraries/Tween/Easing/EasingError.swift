// Why a text or parameters are not an easing, in words for the person who wrote them.

/// What is wrong with an easing.
public enum EasingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No easing has this name (shortened if it is long).
    case unknownName(String)
    /// The text does not follow the easing's syntax; says what was expected.
    case malformed(String)
    /// A parameter is out of range; says which and what is allowed.
    case outOfRange(String)

    /// A sentence for the person who wrote the text.
    public var description: String {
        switch self {
        case .unknownName(let name): "unknown easing \"\(name)\"; try easeOut, power-out(2), back-in, steps(4)"
        case .malformed(let expectation): expectation
        case .outOfRange(let rule): rule
        }
    }
}
