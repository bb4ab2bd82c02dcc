// Why a stream can't be sent all that it missed.

/// The reason in `event: reset`.
package enum ResetReason: String, CaseIterable, Sendable {
    /// The client's id is invalid or of another log of events.
    case unknown
    /// Events after that id are no longer kept.
    case expired
    /// The board was reloaded.
    case reloaded
}
