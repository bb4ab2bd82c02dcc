// How often a way is repeated, and in which directions. Shared by easings and springs.

/// The cycles of a motion, in the terms of Web Animations.
public struct Cycles: Hashable, Sendable {
    /// The number of cycles: at least 0, may be fractional or infinite; NaN counts as 0.
    public let iterations: Double
    /// The direction of the cycles.
    public let direction: Direction
    /// Seconds between the end of each cycle and the next, at least 0. A value that isn't finite counts as 0, and so does
    /// any if there is only one cycle; a `Timing` that begins within one may reach another.
    public let repeatDelay: Double

    /// Once, from the start to the target.
    public static let once = Cycles()

    /// Creates cycles; by default one that runs forwards.
    public init(iterations: Double = 1, direction: Direction = .normal, repeatDelay: Double = 0) {
        self.iterations = iterations > 0 ? iterations : 0
        self.direction = direction
        self.repeatDelay = Self.repeatDelay(repeatDelay, after: self.iterations)
    }

    /// Creates the cycles of a timing, whose repeat delay counts from where it begins.
    init(of timing: Timing) {
        (iterations, direction, repeatDelay) = (timing.iterations, timing.direction, timing.repeatDelay)
    }

    /// Returns a repeat delay; 0 if it isn't finite, or never comes.
    /// - Parameter cycles: Where the last cycle ends, in cycles since the start of the first.
    static func repeatDelay(_ seconds: Double, after cycles: Double) -> Double {
        cycles > 1 && seconds > 0 && seconds.isFinite ? seconds : 0
    }

    /// Creates cycles in UIKit's terms: `repeats` further ones; with `autoreverse`, each goes there and back.
    ///
    /// With `autoreverse` the motion ends where it started, unless `repeats` ends in .5.
    public init(repeats: Double, autoreverse: Bool = false, repeatDelay: Double = 0) {
        let count = 1 + (repeats > 0 ? repeats : 0)
        self.init(
            iterations: autoreverse ? 2 * count : count, direction: autoreverse ? .alternate : .normal,
            repeatDelay: repeatDelay)
    }

    /// Returns the seconds of all cycles with this duration, including delays between them; 0 if either factor is 0, even if
    /// the other is infinite.
    /// - Parameter start: The iteration at which they begin.
    @inline(__always)
    func duration(of cycle: Double, from start: Double = 0) -> Double {
        if cycle == 0 || iterations == 0 { return 0 }
        guard repeatDelay > 0 else { return cycle * iterations }
        let gaps = (start + iterations).rounded(.up) - start.rounded(.down) - 1
        return cycle * iterations + max(gaps, 0) * repeatDelay
    }

    /// Whether the first cycle runs backwards, from its end.
    package var beginsBackwards: Bool { direction == .reverse || direction == .alternateReverse }

    /// Whether the first cycle runs forwards to its end.
    var beginsWhole: Bool { iterations >= 1 && !beginsBackwards }
}
