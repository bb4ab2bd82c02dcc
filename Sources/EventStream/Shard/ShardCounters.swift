// What a shard counts for everybody to read.

import Synchronization

/// Counters of a shard: written by its thread, read by any.
package final class ShardCounters: Sendable {
    private let slow = Atomic<UInt64>(0)

    /// Streams that were ended because too much waited for them.
    package var slowStreams: UInt64 { slow.load(ordering: .relaxed) }

    func countSlowStream() { slow.wrappingAdd(1, ordering: .relaxed) }
}
