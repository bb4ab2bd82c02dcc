// The service's time: nanoseconds since the Unix epoch, running on the monotonic clock, so that a step of the wall
// clock moves no motion. Read in one place and passed on as a value.

import Glibc
package import Tween

/// Wall time anchored to the monotonic clock at start.
package struct ServiceClock: Sendable {
    /// Unix nanoseconds at monotonic zero.
    private let anchor: Int64
    /// Nanoseconds between ticks.
    package let period: Int64

    /// - Parameter tickRate: Ticks a second.
    package init(tickRate: Int) {
        period = 1_000_000_000 / Int64(tickRate)
        anchor = Self.read(CLOCK_REALTIME) - Self.read(CLOCK_MONOTONIC)
    }

    /// Nanoseconds of the monotonic clock.
    package func monotonic() -> Int64 { Self.read(CLOCK_MONOTONIC) }

    package func instant(monotonic: Int64) -> Instant { Instant(nanoseconds: anchor + monotonic) }

    package func monotonic(of instant: Instant) -> Int64 {
        instant.nanoseconds.subtractingReportingOverflow(anchor).partialValue
    }

    /// The number of the tick at or before an instant.
    package func tick(of instant: Instant) -> Int64 { monotonic(of: instant) / period }

    /// The instant of a tick.
    package func instant(tick: Int64) -> Instant { self.instant(monotonic: tick * period) }

    /// The instant of the tick at or before an instant.
    package func tickInstant(before instant: Instant) -> Instant { self.instant(tick: tick(of: instant)) }

    /// Sleeps; for threads that have nothing to be woken by.
    func pause(nanoseconds: Int64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        unsafe nanosleep(&time, nil)
    }

    package func now() -> Instant { instant(monotonic: monotonic()) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
