// How a stream came to its end, and what it had been sent by then.

/// Why a stream is over.
package enum StreamEndReason: String, CaseIterable, Sendable {
    /// The client left.
    case client
    /// It was told all that it asked for: its first completion, or the whole self test.
    case completed
    /// Its resource has gone.
    case removed
    /// The client took nothing, or too little, for too long.
    case stalled
    /// More waited for it than may.
    case slow
    /// What let it in counts no more: its time is over.
    case expired
    /// The same: it was taken away.
    case revoked
    /// There was no room for another reader's locale.
    case locales
    /// The server ends, and said so.
    case draining
    /// The server ended before it could say so, or before the client had taken it.
    case stopped
    /// Its place was reserved, and no socket came.
    case abandoned
}

/// What there is to say of a stream that is over.
package struct StreamEnd: Sendable {
    package var reason: StreamEndReason
    package var statistics = StreamStatistics()
    /// Bytes that its socket took.
    package var bytes: UInt64 = 0
    /// Monotonic nanoseconds at which its socket came; nil where none did.
    package var opened: Int64?

    package init(_ reason: StreamEndReason, bytes: UInt64 = 0, opened: Int64? = nil) {
        self.reason = reason
        self.bytes = bytes
        self.opened = opened
    }
}
