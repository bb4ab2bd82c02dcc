// The limits and settings of a shard.

import Base

/// Limits and settings of a shard.
package struct ShardConfiguration: Sendable {
    /// Seconds between heartbeats of an idle stream.
    package var heartbeatSeconds = 15.0
    /// The maximum bytes of named events that wait for one stream. Above it the stream is ended as slow, and its client
    /// reconnects for the rest.
    package var maximumWaitingBytes = 4 << 20
    /// The maximum bytes of named events that wait for all streams of the shard, counted once for several streams. Above it
    /// the streams with the most waiting bytes are ended as slow.
    package var maximumWaitingTotal = 256 << 20
    /// Seconds for which a stream's queue may grow without ever being emptied; then the stream is ended as slow.
    package var maximumWaitingSeconds = 30.0
    /// Bytes written to a socket at a time: with as many in the socket and a portion of its greeting, a stream that reads
    /// nothing has less than 64 KiB waiting.
    package var maximumFill = 24 * 1_024
    /// Frames a second for a stream that keeps up and requested no other rate.
    package var fullRate = 60.0

    package init() {}

    var heartbeatInterval: Int64 { Int64(saturating: heartbeatSeconds * 1e9) }
    var maximumWait: Int64 { Int64(saturating: maximumWaitingSeconds * 1e9) }
}
