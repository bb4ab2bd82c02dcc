// The service's time: nanoseconds since the Unix epoch, running on the monotonic clock, so that a step of the wall
// clock moves no motion. Read in one place and passed on as a value.

import Glibc
package import Tween

/// Wall time anchored to the monotonic clock at start.
package struct ServiceClock: Sendable {
    /// Unix nanoseconds at monotonic zero.
    private let anchor: Int64

    package init() {
        anchor = Self.read(CLOCK_REALTIME) - Self.read(CLOCK_MONOTONIC)
    }

    /// Nanoseconds of the monotonic clock.
    package func monotonic() -> Int64 { Self.read(CLOCK_MONOTONIC) }

    package func instant(monotonic: Int64) -> Instant { Instant(nanoseconds: anchor + monotonic) }

    package func monotonic(of instant: Instant) -> Int64 {
        instant.nanoseconds.subtractingReportingOverflow(anchor).partialValue
    }

    package func now() -> Instant { instant(monotonic: monotonic()) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
