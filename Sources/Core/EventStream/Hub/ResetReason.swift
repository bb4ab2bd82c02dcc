// Why a stream can't be told all that it missed.

/// What `event: reset` names.
package enum ResetReason: String, CaseIterable, Sendable {
    /// The id that it brings is none, or of another log of events.
    case unknown
    /// What came after that id is kept no more.
    case expired
    /// The board was loaded anew.
    case reloaded
}
