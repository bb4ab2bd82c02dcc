// Limits and settings of a shard.

import Base

/// What one shard may hold and send.
package struct ShardConfiguration: Sendable {
    /// Seconds between heartbeats of an idle stream.
    package var heartbeatSeconds = 15.0
    /// The maximum bytes of named events that wait for one stream, except for a single larger one. Above it the stream is ended as slow, and its client
    /// reconnects for the rest.
    package var maximumWaitingBytes = 4 << 20
    /// The maximum bytes of named events that wait for all streams of the shard, counted once for several streams. Above it
    /// the streams with the most waiting bytes are ended as slow, until three quarters are left.
    package var maximumWaitingTotal = 256 << 20
    /// Seconds for which a stream's queue may grow without ever being emptied; then the stream is ended as slow.
    package var maximumWaitingSeconds = 30.0
    /// Bytes after which a write to a socket is full; its last event may exceed them. The frames and greeting of a stream that
    /// reads nothing take no more than this, its socket's buffer and a portion of the greeting; named events wait besides.
    package var maximumFill = 24 * 1_024
    /// Frames a second for a stream that keeps up and requested no other rate.
    package var fullRate = 60.0

    package init() {}

    var heartbeatInterval: Int64 { Int64(saturating: heartbeatSeconds * 1e9) }
    var maximumWait: Int64 { Int64(saturating: maximumWaitingSeconds * 1e9) }
}
