// When a shard sent its frames, measured from their ticks.

import Base

/// Measures the frames of the newest tick until the kernel has them.
struct FrameTimes {
    /// A tick and its sequence number; consecutive ticks have consecutive numbers.
    struct Tick: Equatable {
        var number: Int64 = .min
        /// Monotonic nanoseconds.
        var instant: Int64 = 0
        /// Whether ticks before it were missed.
        var isLate = false
    }

    /// The newest tick that has frames.
    var newest = Tick()
    /// The last tick whose frames were sent, and when the first of them was.
    private var last: (number: Int64, at: Int64) = (.min, 0)
    /// Streams that receive its frames, and neither asked for fewer nor lag.
    var streams: UInt64 = 0

    /// Records that the kernel has everything that was filled.
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
