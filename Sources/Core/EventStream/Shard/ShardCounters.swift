// A shard's counters: its thread writes them, and any thread may read them.

package import Base
import Synchronization

/// Counters of a shard.
package final class ShardCounters: Sendable {
    private let slow = Atomic<UInt64>(0)
    private let opened = Atomic<UInt64>(0)
    private let frames = Atomic<UInt64>(0)
    private let leftOut = Atomic<UInt64>(0)
    private let events = Atomic<UInt64>(0)
    private let waiting = Atomic<Int>(0)
    /// Ended streams by reason.
    package let ends = CounterTable<StreamEndReason>()
    /// The time from a tick until the kernel had its frames, for streams that request every tick and keep up.
    package let frameAges = Histogram()
    /// The time between the sends of two consecutive ticks.
    package let gaps = Histogram()

    /// Streams that were ended because too much waited for them.
    package var slowStreams: UInt64 { slow.load(ordering: .relaxed) }
    /// Streams that got a socket.
    package var openedStreams: UInt64 { opened.load(ordering: .relaxed) }
    /// What streams were sent so far.
    package var sent: StreamStatistics {
        var sent = StreamStatistics()
        sent.frames = frames.load(ordering: .relaxed)
        sent.leftOut = leftOut.load(ordering: .relaxed)
        sent.events = events.load(ordering: .relaxed)
        return sent
    }
    /// Bytes of named events and final frames that wait; those that wait for several streams count once.
    package var waitingBytes: Int { waiting.load(ordering: .relaxed) }

    func countSlowStream() { slow.wrappingAdd(1, ordering: .relaxed) }
    func countOpenedStream() { opened.wrappingAdd(1, ordering: .relaxed) }

    /// Publishes the current totals: once a turn, so that a frame costs only an addition.
    func publish(_ sent: StreamStatistics, waitingBytes: Int) {
        frames.store(sent.frames, ordering: .relaxed)
        leftOut.store(sent.leftOut, ordering: .relaxed)
        events.store(sent.events, ordering: .relaxed)
        waiting.store(waitingBytes, ordering: .relaxed)
    }
}
