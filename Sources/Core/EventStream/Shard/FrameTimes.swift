// When a shard's frames went out, measured against the ticks that they are of.

import Base

/// What was sent of the newest tick, until it is known to be with the kernel.
struct FrameTimes {
    /// A tick, by its place among those that were made: one that follows the one before has the next number.
    struct Tick: Equatable {
        var number: Int64 = .min
        /// Monotonic nanoseconds.
        var instant: Int64 = 0
    }

    /// The newest tick of which there are frames.
    var newest = Tick()
    /// The last one of which frames went out, and when the first of them did.
    private var last: (number: Int64, at: Int64) = (.min, 0)
    /// Streams that are sent frames of it, and neither asked for fewer nor lag.
    var streams: UInt64 = 0

    /// All that was filled is with the kernel.
    mutating func record(sentAt now: Int64, in counters: ShardCounters) {
        guard streams > 0 else { return }
        counters.frameAges.observe(nanoseconds: now &- newest.instant, count: streams)
        streams = 0
        guard newest.number != last.number else { return }
        if last.number != .min, newest.number == last.number &+ 1 {
            counters.gaps.observe(nanoseconds: now &- last.at)
        }
        last = (newest.number, now)
    }
}
