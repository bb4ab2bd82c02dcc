// Why a stream can't be sent all that it missed.

/// The reason in `event: reset`.
package enum ResetReason: String, CaseIterable, Sendable {
    /// The client's id is invalid, of another log of events, or of an event that this log lacks.
    case unknown
    /// Events after that id are no longer kept.
    case expired
    /// The board was reloaded.
    case reloaded
}
