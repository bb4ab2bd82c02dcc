// What a stream that answers a change was asked for.

/// The end of what a change has started, with which the stream that answers it ends.
package enum StreamGoal: Hashable, Sendable, CustomStringConvertible {
    /// Nothing moves: it ends when it has shown the state.
    case rest
    /// The `complete` of the motion of this number.
    case motion(UInt64)
    /// The last firing of the schedule.
    case firing

    /// Parses a description; nil for any other text.
    package init?(_ text: some StringProtocol) {
        switch text {
        case "rest": self = .rest
        case "firing": self = .firing
        default:
            guard let number = UInt64(text) else { return nil }
            self = .motion(number)
        }
    }

    package var description: String {
        switch self {
        case .rest: "rest"
        case .motion(let number): String(number)
        case .firing: "firing"
        }
    }
}
