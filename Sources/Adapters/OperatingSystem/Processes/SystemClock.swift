// The machine's clocks, in nanoseconds.

import Base
import Glibc

/// Reads the system's clocks, and sleeps.
package enum SystemClock {
    /// Nanoseconds of the monotonic clock.
    package static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Nanoseconds since boot, including time asleep.
    package static func sinceBoot() -> Int64 { read(CLOCK_BOOTTIME) }

    /// Unix nanoseconds.
    package static func wall() -> Int64 { read(CLOCK_REALTIME) }

    /// Sleeps. Only for threads that nothing needs to wake.
    package static func sleep(nanoseconds: Int64) {
        let length = max(0, nanoseconds)
        var time = timespec(tv_sec: Int(length / 1_000_000_000), tv_nsec: Int(length % 1_000_000_000))
        unsafe nanosleep(&time, nil)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        // A wall clock may be set beyond 2262, where 64 bits of nanoseconds end.
        return Int64(time.tv_sec).multipliedSaturated(by: 1_000_000_000).addingSaturated(Int64(time.tv_nsec))
    }
}
