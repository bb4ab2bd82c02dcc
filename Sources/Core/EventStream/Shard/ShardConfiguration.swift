// What a shard allows its streams.

import Base

/// Limits and settings of a shard.
package struct ShardConfiguration: Sendable {
    /// Seconds between heartbeats of a stream that has nothing else to send.
    package var heartbeatSeconds = 15.0
    /// Most bytes of named events that wait for one stream; over it the stream is ended as slow, and its client comes
    /// back for them.
    package var maximumWaitingBytes = 4 << 20
    /// Most bytes of named events that wait for all streams of the shard, those that wait for many counted once; over it
    /// the streams that most waits for are ended as slow.
    package var maximumWaitingTotal = 256 << 20
    /// Seconds for which what waits for a stream may grow without ever having been taken; then it is ended as slow.
    package var maximumWaitingSeconds = 30.0
    /// Bytes that a socket is given at a time: with as many in the socket and a portion of its greeting, a stream that
    /// reads nothing has less than 64 KiB waiting.
    package var maximumFill = 24 * 1_024
    /// Frames a second of a stream that keeps up and asked for no other rate.
    package var fullRate = 60.0

    package init() {}

    var heartbeatInterval: Int64 { Int64(saturating: heartbeatSeconds * 1e9) }
    var maximumWait: Int64 { Int64(saturating: maximumWaitingSeconds * 1e9) }
}
