// The service's time: nanoseconds since the Unix epoch, running on the monotonic clock. When the wall clock is set, the
// tick thread takes that over at a moment of its own, and moves what runs on elapsed time along. Read in one place and
// passed on as a value.

import Conversions
import Publishing
import Synchronization
import Threads
package import Tween

/// Wall time anchored to the monotonic clock.
package final class ServiceClock: Sendable {
    /// Nanoseconds by which the wall clock may differ before it counts as set: more than a disciplined clock drifts in
    /// a day's worth of looks, less than anybody sees.
    static let tolerance: Int64 = 50_000_000
    /// Nanoseconds between looks while something waits for a date and nothing else happens.
    static let lookInterval: Int64 = 1_000_000_000

    /// Unix nanoseconds at monotonic zero.
    private let anchor: Atomic<Int64>
    private let wallTime: @Sendable () -> Int64
    /// Nanoseconds between ticks.
    package let period: Int64

    /// - Parameters:
    ///   - tickRate: Ticks a second.
    ///   - wallTime: Unix nanoseconds.
    package init(tickRate: Int, wallTime: @escaping @Sendable () -> Int64 = ServiceClock.systemTime) {
        period = 1_000_000_000 / Int64(tickRate)
        self.wallTime = wallTime
        anchor = Atomic(wallTime().subtractingSaturated(SystemClock.monotonic()))
    }

    /// Unix nanoseconds by the machine's clock.
    package static let systemTime: @Sendable () -> Int64 = { SystemClock.wall() }

    /// Takes over a wall clock that was set since the last look.
    /// - Returns: By how many nanoseconds; nil when it was not.
    func follow() -> Int64? {
        let before = monotonic()
        let wall = wallTime()
        // Whoever was stopped between the two readings has measured nothing.
        guard monotonic() - before < 1_000_000 else { return nil }
        let known = anchor.load(ordering: .relaxed)
        let found = wall.subtractingSaturated(before)
        let shift = found.subtractingSaturated(known)
        guard shift.magnitude >= Self.tolerance.magnitude else { return nil }
        anchor.store(found, ordering: .relaxed)
        return shift
    }

    /// Nanoseconds of the monotonic clock.
    package func monotonic() -> Int64 { SystemClock.monotonic() }

    package func instant(monotonic: Int64) -> Instant {
        Instant(nanoseconds: anchor.load(ordering: .relaxed).addingSaturated(monotonic))
    }

    /// Negative for what was before the machine started.
    package func monotonic(of instant: Instant) -> Int64 {
        instant.nanoseconds.subtractingSaturated(anchor.load(ordering: .relaxed))
    }

    /// The timetable of ticks, until the wall clock is set.
    var grid: TickGrid { TickGrid(anchor: anchor.load(ordering: .relaxed), period: period) }

    /// The number of the tick at or before an instant.
    package func tick(of instant: Instant) -> Int64 { grid.tick(of: instant) }

    /// The instant of a tick.
    package func instant(tick: Int64) -> Instant { grid.instant(tick: tick) }

    /// Sleeps; for threads that have nothing to be woken by.
    func pause(nanoseconds: Int64) { SystemClock.sleep(nanoseconds: nanoseconds) }

    package func now() -> Instant { instant(monotonic: monotonic()) }
}
