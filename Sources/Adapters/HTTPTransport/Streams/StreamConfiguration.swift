// Settings and counters of stream loops.

import Glibc

/// How bytes get to the sockets of streams. TLS sessions always send directly.
package enum SendPath: String, CaseIterable, Sendable {
    /// One call per stream.
    case epoll
    /// One call for all streams of a loop.
    case uring

    /// Returns the errno that prevents a ring for this many streams; nil if it is available.
    package static func obstacleToRings(streams: Int) -> Int32? {
        do throws(TransportError) {
            _ = try SendRing(places: streams)
            return nil
        } catch {
            guard case .failed(let code) = error else { return ENOSYS }
            return code
        }
    }
}

/// Settings of stream loops.
package struct StreamConfiguration: Sendable {
    /// The most streams of all loops together.
    package var maximumStreams = 15_000
    /// Streams in one loop before the next is used: what half a core serves at 60 frames a second.
    package var streamsPerLoop = 1_500
    /// Seconds that a client may read nothing while bytes wait, and seconds to read a stream's last bytes.
    package var stallTimeout = 30.0
    /// The least average bytes per second that a client must read while bytes wait, over the stall timeout; slower clients
    /// are cut off too.
    package var lowestRate = 64
    /// Bytes of a socket's send buffer: what may be sent and not acknowledged. The kernel doubles it for its own
    /// bookkeeping.
    package var sendBuffer: Int32 = 32 * 1_024
    /// Seconds after a client was late during which its socket's unsent bytes are checked before it is filled.
    package var lagMemory = 5.0

    package var sendPath = SendPath.epoll

    package init() {}
}

/// Counters of streams.
package struct StreamCounters: Hashable, Sendable {
    /// Open streams and reserved places.
    package var open = 0
    /// The limit of streams.
    package var limit = 0
    package var sends: UInt64 = 0
    package var bytes: UInt64 = 0
    /// Cut off because the client read nothing, or too slowly.
    package var stalled: UInt64 = 0
    /// Loops that send by a ring.
    package var rings = 0
    /// Rejected because there was no room.
    package var refused: UInt64 = 0

    package init() {}
}
