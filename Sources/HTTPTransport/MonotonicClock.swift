// The clock of the transport: deadlines and nothing else.

import Glibc

/// Nanoseconds of the monotonic clock.
func monotonicNow() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
