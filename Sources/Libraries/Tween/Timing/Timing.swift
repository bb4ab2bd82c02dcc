// The timing of an effect in the terms of Web Animations. Seconds throughout; it holds no time of its own.

/// Duration, delays, cycles, direction and easing of an effect.
///
/// Web Animations refuses negative durations and iterations and everything that is not a number; here they count as 0,
/// so that no value can make a motion undefined. Whoever takes them from outside refuses them first.
public struct Timing: Hashable, Sendable {
    /// Seconds that one cycle takes, at least 0; infinite stays at its start.
    public let duration: Double
    /// Seconds before the first cycle; negative starts in the middle.
    public let delay: Double
    /// Seconds after the last cycle before the effect is complete; negative completes early.
    public let endDelay: Double
    /// How many cycles: at least 0, may be fractional or infinite.
    public let iterations: Double
    /// Where in the cycles the effect starts, in cycles, at least 0.
    public let iterationStart: Double
    /// Which way the cycles run.
    public let direction: Direction
    /// Seconds at the end of each cycle but the last before the next begins, at least 0, and 0 where there is one.
    public let repeatDelay: Double
    /// The easing of each cycle.
    public let easing: Easing
    /// Whether the effect shows outside its active time. A `Motion` always shows; it doesn't look at this.
    public let fill: FillMode

    /// A timing; the defaults are one plain cycle.
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
        self.repeatDelay = Cycles(iterations: self.iterations, repeatDelay: repeatDelay).repeatDelay
        self.easing = easing
        self.fill = fill
    }

    /// A timing in the words of UIKit: `repeats` further cycles, and with `autoreverse` a cycle is there and back.
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

    /// A timing of such cycles, each of which takes `duration` seconds.
    public init(
        duration: Double, delay: Double = 0, endDelay: Double = 0, cycles: Cycles, easing: Easing = .linear
    ) {
        self.init(
            duration: duration, delay: delay, endDelay: endDelay, iterations: cycles.iterations,
            direction: cycles.direction, repeatDelay: cycles.repeatDelay, easing: easing)
    }

    /// How often the way is gone, and in which direction.
    @inline(__always)
    public var cycles: Cycles { Cycles(iterations: iterations, direction: direction, repeatDelay: repeatDelay) }

    /// Seconds of all cycles; 0 when either factor is 0, even if the other is infinite.
    @inline(__always)
    public var activeDuration: Double {
        cycles.duration(of: duration, from: iterationStart)
    }

    /// Seconds of own time at which the effect is complete, delays included; never negative, may be infinite.
    public var endTime: Double {
        max(delay + activeDuration + endDelay, 0)
    }

    /// One forward cycle from its beginning to its end: what nearly every motion is.
    var isPlain: Bool {
        iterations == 1 && iterationStart == 0 && direction == .normal && delay >= 0 && endDelay >= 0
    }

    /// A number of at least 0, perhaps infinite.
    private static func extent(_ number: Double) -> Double {
        number > 0 ? number : 0
    }

    private static func finite(_ number: Double) -> Double {
        number.isFinite ? number : 0
    }
}
