// What allows a stream to stay open.

/// A permit; its stream ends when it expires or is revoked.
package protocol StreamPermit: Sendable {
    /// Unix nanoseconds at which it expires; `.max` for never.
    var expires: Int64 { get }
    /// Whether it is still valid, apart from its expiry: tokens and rights may be revoked.
    var isHonoured: Bool { get }
    /// The topics that may be read, whatever the stream subscribes to; nil for all.
    var readable: TopicSelection? { get }
    /// The owner of the token; nil without a token.
    var holder: String? { get }
    /// The client's address as a proxy reports it; nil if the socket's address is the client's.
    var client: String? { get }
}
