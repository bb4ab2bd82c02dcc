// The timetable of ticks as a value: which tick an instant lies in, and where that is on the monotonic clock.

import Conversions
package import Tween

/// Ticks at equal distances from the monotonic clock's zero.
package struct TickGrid: Hashable, Sendable {
    /// Unix nanoseconds at monotonic zero.
    package private(set) var anchor: Int64
    /// Nanoseconds between ticks.
    package let period: Int64

    package init(anchor: Int64, period: Int64) {
        self.anchor = anchor
        self.period = period
    }

    /// The wall clock was set.
    package mutating func shift(byNanoseconds nanoseconds: Int64) { anchor = anchor.addingSaturated(nanoseconds) }

    /// Nanoseconds of the monotonic clock; negative for what was before the machine started.
    package func monotonic(of instant: Instant) -> Int64 { instant.nanoseconds.subtractingSaturated(anchor) }

    package func instant(monotonic: Int64) -> Instant { Instant(nanoseconds: anchor.addingSaturated(monotonic)) }

    /// The number of the tick at or before an instant.
    package func tick(of instant: Instant) -> Int64 { monotonic(of: instant) / period }

    /// The instant of a tick.
    package func instant(tick: Int64) -> Instant { instant(monotonic: tick.multipliedSaturated(by: period)) }

    /// The instant of the tick at or before an instant.
    package func tickInstant(before instant: Instant) -> Instant { self.instant(tick: tick(of: instant)) }
}
