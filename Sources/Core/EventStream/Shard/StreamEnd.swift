// How a stream ended, and what it was sent until then.

/// Why a stream ended.
package enum StreamEndReason: String, CaseIterable, Sendable {
    /// The client closed it.
    case client
    /// It sent all that was requested: its first completion, or the whole self test.
    case completed
    /// Its resource was removed.
    case removed
    /// The client read nothing, or too little, for too long.
    case stalled
    /// Too much waited for it.
    case slow
    /// Its permit has expired.
    case expired
    /// Its permit was revoked.
    case revoked
    /// There was no room for another reader's locale.
    case locales
    /// The server shuts down and said so.
    case draining
    /// The server stopped before it could say so, or before the client had read it.
    case stopped
    /// Its place was reserved, but no socket came.
    case abandoned
}

/// The end of a stream, with its totals.
package struct StreamEnd: Sendable {
    package var reason: StreamEndReason
    package var statistics = StreamStatistics()
    /// Bytes that its socket took.
    package var bytes: UInt64 = 0
    /// Monotonic nanoseconds at which its socket came; nil if none did.
    package var opened: Int64?

    package init(_ reason: StreamEndReason, bytes: UInt64 = 0, opened: Int64? = nil) {
        self.reason = reason
        self.bytes = bytes
        self.opened = opened
    }
}
