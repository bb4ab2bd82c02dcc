// Why parameters do not make a spring.

/// A spring's parameter that is out of range.
public struct SpringError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parameter at fault.
    public enum Parameter: String, Hashable, Sendable {
        /// The parameter of that name.
        case dampingRatio, response, duration, bounce, mass, stiffness, damping, settlingDuration, threshold
    }

    /// The parameter at fault.
    public let parameter: Parameter
    /// What is allowed, as a phrase that goes after the parameter's name.
    public let rule: String

    /// A sentence for whoever gave it.
    public var description: String { "\(parameter.rawValue) \(rule)" }
}
