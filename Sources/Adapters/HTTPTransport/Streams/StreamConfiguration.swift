// Settings of stream loops, and what they count.

import Glibc

/// How bytes get to the sockets of streams. TLS sessions send for themselves.
package enum SendPath: String, CaseIterable, Sendable {
    /// A call for each stream.
    case epoll
    /// A call for all streams of a loop that have something to send.
    case uring

    /// What the kernel has against a ring for so many streams, as an errno; nil where one can be had.
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
    /// Most streams of all loops together.
    package var maximumStreams = 15_000
    /// Streams that one loop takes before the next has any: what half a core serves at 60 frames a second.
    package var streamsPerLoop = 1_500
    /// Seconds a stream may take nothing of what waits for it, and seconds it has for its last bytes.
    package var stallTimeout = 30.0
    /// Bytes a second that a client must take while something waits for it, on average over the stall timeout; a slower
    /// one is cut off as well.
    package var lowestRate = 64
    /// Bytes of a socket's send buffer: what may be under way to a client, unacknowledged. The kernel doubles it for
    /// its own bookkeeping.
    package var sendBuffer: Int32 = 32 * 1_024
    /// Seconds after a refusal during which a socket's unsent bytes are looked at before it is filled.
    package var lagMemory = 5.0

    package var sendPath = SendPath.epoll

    package init() {}
}

/// What streams did so far.
package struct StreamCounters: Hashable, Sendable {
    /// Streams, and places that are reserved for one.
    package var open = 0
    /// Most at a time.
    package var limit = 0
    package var sends: UInt64 = 0
    package var bytes: UInt64 = 0
    /// Cut off because they took nothing, or too slowly.
    package var stalled: UInt64 = 0
    /// Loops that send by a ring.
    package var rings = 0
    /// Turned away because there was no room.
    package var refused: UInt64 = 0

    package init() {}
}
