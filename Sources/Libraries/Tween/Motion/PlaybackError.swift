// Why a playback command fails: Web Animations' InvalidStateError.

/// A playback command that isn't possible in the current state.
public enum PlaybackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The command leads to an end that never comes.
    case endlessMotion
    /// The command needs a direction, and the rate is 0.
    case zeroRate

    /// A sentence for the caller.
    public var description: String {
        switch self {
        case .endlessMotion: "a motion that never ends cannot go to its end"
        case .zeroRate: "a motion with rate 0 cannot be finished"
        }
    }
}
