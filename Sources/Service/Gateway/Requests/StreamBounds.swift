// What may be asked of one stream.

/// Bounds on what a request for a stream, or for a ticket, may name.
package struct StreamBounds: Sendable {
    /// The most frames a second there are.
    package var tickRate = 60
    /// The most topics and patterns of one request.
    package var topics = 10_000

    package init() {}
}
