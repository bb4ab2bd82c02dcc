// Limits and settings of a shard.

import Base

/// What one shard may hold and send.
package struct ShardConfiguration: Sendable {
    /// Seconds of silence before a heartbeat, unless the client chose its own.
    package var heartbeatSeconds = 15.0
    /// The maximum bytes of named events, final frames and greetings that wait for one stream, except for a single larger one.
    /// Above it the stream is ended as slow, and its client reconnects for the rest.
    package var maximumWaitingBytes = 4 << 20
    /// The maximum bytes of named events that wait for all streams of the shard, counted once for several streams. Above it
    /// the streams with the most waiting bytes are ended as slow, until three quarters are left.
    package var maximumWaitingTotal = 256 << 20
    /// Seconds for which a stream's queue may grow without ever being emptied; then the stream is ended as slow.
    package var maximumWaitingSeconds = 30.0
    /// Bytes after which a write to a socket is full; its last event may exceed them. If a stream reads nothing, its frames and
    /// greeting take at most this, its socket's buffer and one portion of the greeting. Named events come on top.
    package var maximumFill = 24 * 1_024
    /// The server's ticks a second, which a stream gets that requested no rate. The lowered rates of lagging streams are
    /// computed from it.
    package var tickRate = 60.0

    package init() {}

    var heartbeatInterval: Int64 { Int64(saturating: heartbeatSeconds * 1e9) }
    var maximumWait: Int64 { Int64(saturating: maximumWaitingSeconds * 1e9) }
}
