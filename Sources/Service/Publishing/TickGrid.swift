// The grid of ticks as a value: the tick of an instant, and the instant on the monotonic clock.

import Base
package import Tween

/// Ticks at equal intervals.
package struct TickGrid: Hashable, Sendable {
    /// Where ticks are counted from.
    package enum Origin: Hashable, Sendable {
        /// The monotonic clock's zero: ticks keep their place when the wall clock is set.
        case boot
        /// The Unix epoch: a tick is the same instant in every process with the same source of time.
        case epoch
    }

    /// Unix nanoseconds at monotonic zero.
    package private(set) var anchor: Int64
    /// Nanoseconds between ticks.
    package let period: Int64
    private let origin: Origin

    package init(anchor: Int64, period: Int64, from origin: Origin = .boot) {
        self.anchor = anchor
        self.period = period
        self.origin = origin
    }

    /// Unix nanoseconds of tick 0.
    private var zero: Int64 { origin == .boot ? anchor : 0 }

    /// Records that the wall clock was set.
    package mutating func shift(byNanoseconds nanoseconds: Int64) { anchor = anchor.addingSaturated(nanoseconds) }

    /// Returns the nanoseconds of the monotonic clock; negative before the computer started.
    package func monotonic(of instant: Instant) -> Int64 { instant.nanoseconds.subtractingSaturated(anchor) }

    package func instant(monotonic: Int64) -> Instant { Instant(nanoseconds: anchor.addingSaturated(monotonic)) }

    /// Returns the number of the tick at or before an instant; 0 for the period before tick 0.
    package func tick(of instant: Instant) -> Int64 { instant.nanoseconds.subtractingSaturated(zero) / period }

    /// Returns the instant of a tick.
    package func instant(tick: Int64) -> Instant {
        Instant(nanoseconds: zero.addingSaturated(tick.multipliedSaturated(by: period)))
    }

    /// Returns the instant of the tick at or before an instant.
    package func tickInstant(atOrBefore instant: Instant) -> Instant { self.instant(tick: tick(of: instant)) }
}
