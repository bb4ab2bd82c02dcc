// Why parameters don't make a spring.

/// A spring parameter that is out of range.
public struct SpringError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parameter at fault.
    public enum Parameter: String, Hashable, Sendable {
        /// The parameter with this name.
        case dampingRatio, response, frequency, duration, bounce, mass, stiffness, damping, settlingDuration, threshold
        /// The argument of that label.
        case settledWithin
    }

    /// The parameter at fault.
    public let parameter: Parameter
    /// What is allowed, or what is wrong, as a phrase after the parameter's name.
    public let rule: String

    /// A sentence for the caller.
    public var description: String { "\(parameter.rawValue) \(rule)" }
}
