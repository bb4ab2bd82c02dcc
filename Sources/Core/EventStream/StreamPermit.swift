// What a stream was let in by.

/// While it counts, its stream may stay.
package protocol StreamPermit: Sendable {
    /// Unix nanoseconds from which on it counts no more; `.max` for never.
    var expires: Int64 { get }
    /// Whether it still counts but for its time: tokens are revoked, and rights taken away.
    var isHonoured: Bool { get }
    /// What may be read, whatever the stream is of; nil for everything.
    var readable: TopicSelection? { get }
    /// Whose token it is; nil where there was none.
    var holder: String? { get }
    /// The client's address as a proxy tells it; nil where that of the socket is the client's.
    var client: String? { get }
}
