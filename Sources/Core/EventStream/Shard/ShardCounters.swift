// What a shard counts for everybody to read: written by its thread, read by any.

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
    /// Streams that are over.
    package let ends = CounterTable<StreamEndReason>()
    /// From the instant of a tick until its frames were with the kernel, of streams that ask for every tick's and keep up.
    package let frameAges = Histogram()
    /// From the sends of a tick to those of the next one, while there is a next one.
    package let gaps = Histogram()

    /// Streams that were ended because too much waited for them.
    package var slowStreams: UInt64 { slow.load(ordering: .relaxed) }
    /// Streams whose sockets came.
    package var openedStreams: UInt64 { opened.load(ordering: .relaxed) }
    /// What streams were sent so far.
    package var sent: StreamStatistics {
        var sent = StreamStatistics()
        sent.frames = frames.load(ordering: .relaxed)
        sent.leftOut = leftOut.load(ordering: .relaxed)
        sent.events = events.load(ordering: .relaxed)
        return sent
    }
    /// Bytes of named events and last frames that wait, those that wait for many counted once.
    package var waitingBytes: Int { waiting.load(ordering: .relaxed) }

    func countSlowStream() { slow.wrappingAdd(1, ordering: .relaxed) }
    func countOpenedStream() { opened.wrappingAdd(1, ordering: .relaxed) }

    /// Tells what has come together since: once a turn, so that no frame costs more than an addition.
    func publish(_ sent: StreamStatistics, waitingBytes: Int) {
        frames.store(sent.frames, ordering: .relaxed)
        leftOut.store(sent.leftOut, ordering: .relaxed)
        events.store(sent.events, ordering: .relaxed)
        waiting.store(waitingBytes, ordering: .relaxed)
    }
}
