// A loop asks a feed for bytes when a socket can take them. The loop knows nothing of topics.

package import Base

/// Why a stream is over.
package enum SocketCloseReason: String, Hashable, Sendable {
    /// The client left.
    case hangup
    /// The client read too little for too long.
    case stalled
    /// The feed ended it.
    case ended
    /// Its place was reserved, but no socket came.
    case abandoned
    /// The loop stopped.
    case stopped
}

/// A loop's record of a stream that is over.
package struct ClosedSocket: Hashable, Sendable {
    package let reason: SocketCloseReason
    /// Bytes that its socket accepted.
    package var sentBytes: UInt64 = 0
    /// Monotonic nanoseconds when its socket came; nil if none did.
    package var opened: Int64?

    package init(reason: SocketCloseReason, sentBytes: UInt64 = 0, opened: Int64? = nil) {
        (self.reason, self.sentBytes, self.opened) = (reason, sentBytes, opened)
    }
}

/// Supplies what a loop sends. Only called on the loop's thread; instants are monotonic nanoseconds.
package protocol StreamFeed: AnyObject {
    func opened(_ stream: StreamID, now: Int64)
    /// Also called for streams that were never opened.
    func closed(_ stream: StreamID, _ closure: ClosedSocket)
    /// Takes what other threads posted.
    func receive(now: Int64)
    /// Returns the next stream with something to send. `fill` follows now or, if the stream's socket is full,
    /// once that has room: don't return the stream again for the same data.
    func nextReady(now: Int64) -> StreamID?
    /// Appends everything that a stream should get now, as complete HTTP chunks (`Chunk`). The loop adds the last chunk, and
    /// removes the framing for HTTP/1.0.
    /// - Returns: Whether the stream ends after these bytes.
    func fill(_ stream: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool
    /// All bytes appended since the last call have been sent or wait for slow clients. Called once per pass of the loop.
    func sent(now: Int64)
    /// Returns whether a stream's next fill is its last. Its client then has the stall timeout to read all that waits.
    func isEnding(_ stream: StreamID) -> Bool
    /// A stream's client began to lag, or has caught up.
    func lagChanged(_ stream: StreamID, isLagging: Bool, now: Int64)
    /// Receives a requested report of all sockets; see `StreamLoops.inspect`.
    func inspected(_ sockets: [StreamSocketReport], number: UInt64)
    /// The next instant at which something is due without a post; `Int64.max` for never.
    var nextDeadline: Int64 { get }
}

extension StreamFeed {
    package func sent(now: Int64) {}
    package func isEnding(_ stream: StreamID) -> Bool { false }
    package func lagChanged(_ stream: StreamID, isLagging: Bool, now: Int64) {}
    package func inspected(_ sockets: [StreamSocketReport], number: UInt64) {}
}
