// A stream that has ended, for the log.

package import EventStream

/// What was known of a stream at its end.
package struct ClosedStream: Sendable {
    package let origin: StreamOrigin
    /// The owner of its token; nil without a token.
    package let holder: String?
    /// The number of topics it subscribed to.
    package let topics: Int
}
