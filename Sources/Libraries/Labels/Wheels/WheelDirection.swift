// The direction in which a digit's wheel turns.

/// The direction of a wheel with the digits 0 to 9.
public enum WheelDirection: String, Hashable, Sendable, CaseIterable {
    /// Always forwards: 9 to 0 is one step.
    case up
    /// Always backwards.
    case down
    /// The shorter way; forwards if both are five steps.
    case shortest
    /// Never past the 9 or the 0: a strip of digits instead of a wheel.
    case strip

    /// Returns the steps from one digit (0...9, or clamped to that) to another; positive steps go to higher digits.
    public func travel(from old: Int, to new: Int) -> Int {
        let (old, new) = (min(max(old, 0), 9), min(max(new, 0), 9))
        let forwards = ((new - old) % 10 + 10) % 10
        return switch self {
        case .up: forwards
        case .down: forwards == 0 ? 0 : forwards - 10
        case .shortest: forwards <= 5 ? forwards : forwards - 10
        case .strip: new - old
        }
    }
}
