// What a stream loop sends: bytes, asked for when they can be sent. It knows no topics.

package import Base

/// Why a stream is over.
package enum StreamClosing: String, Hashable, Sendable {
    /// The client left.
    case hangup
    /// The client took nothing for too long.
    case stalled
    /// The feed ended it.
    case ended
    /// Its place was reserved, and no socket came.
    case abandoned
    /// The loop stopped.
    case stopped
}

/// What a loop knows of a stream that is over.
package struct StreamClosure: Hashable, Sendable {
    package let reason: StreamClosing
    /// Bytes that its socket took.
    package var sentBytes: UInt64 = 0
    /// Monotonic nanoseconds at which its socket came; nil where none did.
    package var opened: Int64?
}

/// What a loop sends. Only the loop's thread calls it; instants are monotonic nanoseconds.
package protocol StreamFeed: AnyObject {
    func opened(_ stream: StreamID, now: Int64)
    func closed(_ stream: StreamID, _ closure: StreamClosure)
    /// Takes in what other threads posted.
    func receive(now: Int64)
    /// The next stream with something to send. One whose socket is full is not asked to fill: it is filled, without
    /// being named again, as soon as its client has taken what was sent before.
    func nextReady(now: Int64) -> StreamID?
    /// Appends all that a stream should get now, in whole chunks.
    /// - Returns: Whether the stream ends after these bytes.
    func fill(_ stream: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool
    /// All that was appended since the last call is with the kernel, or waits for a client that takes less; once a turn.
    func sent(now: Int64)
    /// Whether the next fill of a stream is its last: then its client has the stall timeout to take all that waits.
    func isEnding(_ stream: StreamID) -> Bool
    /// A stream's client began to lag behind what is sent to it, or has caught up.
    func lagChanged(_ stream: StreamID, isLagging: Bool, now: Int64)
    /// What somebody asked for who looks at the streams; see `StreamLoops.inspect`.
    func inspected(_ sockets: [StreamSocketReport], ticket: UInt64)
    /// When something is due that nobody posts; `Int64.max` for never.
    var nextDeadline: Int64 { get }
}

extension StreamFeed {
    package func sent(now: Int64) {}
    package func isEnding(_ stream: StreamID) -> Bool { false }
    package func lagChanged(_ stream: StreamID, isLagging: Bool, now: Int64) {}
    package func inspected(_ sockets: [StreamSocketReport], ticket: UInt64) {}
}
