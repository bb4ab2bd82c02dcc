// What a stream was sent, in numbers.

/// Counts of what one stream was sent.
package struct StreamStatistics: Hashable, Sendable {
    package var frames: UInt64 = 0
    /// Frames that a newer one replaced before they were sent, except when the client requested a lower rate.
    package var leftOut: UInt64 = 0
    package var events: UInt64 = 0

    package init() {}
}
