// Limits on a stream request.

/// Limits on a request for a stream or a ticket.
package struct StreamBounds: Sendable {
    /// The maximum frame rate, in frames a second.
    package var tickRate = 60
    /// The most topics and patterns of one request.
    package var topics = 10_000

    package init() {}
}
