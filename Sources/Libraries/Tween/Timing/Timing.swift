// The timing of an effect in the terms of Web Animations, in seconds. It holds no current time.

/// Duration, delays, cycles, direction and easing of an effect.
///
/// Web Animations rejects negative durations and iterations and NaN. Here they count as 0, so that no value makes a motion
/// undefined; code that reads them from clients must reject them first.
public struct Timing: Hashable, Sendable {
    /// Seconds of one cycle, at least 0; if infinite, it stays at its start.
    public let duration: Double
    /// Seconds before the first cycle; negative starts in the middle.
    public let delay: Double
    /// Seconds after the last cycle before the effect is complete; negative completes early.
    public let endDelay: Double
    /// The number of cycles: at least 0, may be fractional or infinite.
    public let iterations: Double
    /// The position in the cycles at which the effect starts, in cycles, at least 0.
    public let iterationStart: Double
    /// The direction of the cycles.
    public let direction: Direction
    /// Seconds between the end of each cycle and the next, at least 0, and 0 if it stays within one.
    public let repeatDelay: Double
    /// The easing of each cycle.
    public let easing: Easing
    /// Whether the effect shows outside its active time. A `Motion` ignores this and always shows.
    public let fill: FillMode

    /// Creates a timing; by default one plain cycle.
    public init(
        duration: Double, delay: Double = 0, endDelay: Double = 0, iterations: Double = 1, iterationStart: Double = 0,
        direction: Direction = .normal, repeatDelay: Double = 0, easing: Easing = .linear, fill: FillMode = .both
    ) {
        self.duration = Self.extent(duration)
        self.delay = Self.finite(delay)
        self.endDelay = Self.finite(endDelay)
        self.iterations = Self.extent(iterations)
        self.iterationStart = Self.extent(Self.finite(iterationStart))
        self.direction = direction
        let begun = self.iterationStart.truncatingRemainder(dividingBy: 1)
        self.repeatDelay = Cycles.repeatDelay(repeatDelay, after: begun + self.iterations)
        self.easing = easing
        self.fill = fill
    }

    /// Creates a timing in UIKit's terms: `repeats` further cycles; with `autoreverse`, a cycle goes there and back.
    ///
    /// With `autoreverse` the effect ends where it started, unless `repeats` ends in .5.
    public init(
        duration: Double, delay: Double = 0, endDelay: Double = 0, repeats: Double, autoreverse: Bool = false,
        repeatDelay: Double = 0, easing: Easing = .linear
    ) {
        self.init(
            duration: duration, delay: delay, endDelay: endDelay,
            cycles: Cycles(repeats: repeats, autoreverse: autoreverse, repeatDelay: repeatDelay), easing: easing)
    }

    /// Creates a timing with these cycles, each of `duration` seconds.
    public init(
        duration: Double, delay: Double = 0, endDelay: Double = 0, cycles: Cycles, easing: Easing = .linear
    ) {
        self.init(
            duration: duration, delay: delay, endDelay: endDelay, iterations: cycles.iterations,
            direction: cycles.direction, repeatDelay: cycles.repeatDelay, easing: easing)
    }

    /// The cycles as one value.
    @inline(__always)
    public var cycles: Cycles { Cycles(of: self) }

    /// Seconds of all cycles; 0 if either factor is 0, even if the other is infinite.
    @inline(__always)
    public var activeDuration: Double {
        cycles.duration(of: duration, from: iterationStart)
    }

    /// Seconds of own time at which the effect is complete, delays included; never negative, may be infinite.
    public var endTime: Double {
        max(delay + activeDuration + endDelay, 0)
    }

    /// Whether it is one complete forward cycle, as nearly every motion is.
    var isPlain: Bool {
        iterations == 1 && iterationStart == 0 && direction == .normal && delay >= 0 && endDelay >= 0
    }

    /// Returns a number of at least 0, possibly infinite.
    private static func extent(_ number: Double) -> Double {
        number > 0 ? number : 0
    }

    private static func finite(_ number: Double) -> Double {
        number.isFinite ? number : 0
    }
}
