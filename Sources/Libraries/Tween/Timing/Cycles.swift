// How often a way is gone, and in which direction each time: what easings and springs have in common.

/// The cycles of a motion, in the terms of Web Animations.
public struct Cycles: Hashable, Sendable {
    /// How many: at least 0, may be fractional or infinite; what is not a number counts as 0.
    public let iterations: Double
    /// Which way they run.
    public let direction: Direction
    /// Seconds at the end of each but the last before the next begins, at least 0; what isn't finite counts as 0, and so
    /// does any where there is one cycle.
    public let repeatDelay: Double

    /// Once, from the start to the target.
    public static let once = Cycles()

    /// Cycles; the defaults are one that runs forwards.
    public init(iterations: Double = 1, direction: Direction = .normal, repeatDelay: Double = 0) {
        self.iterations = iterations > 0 ? iterations : 0
        self.direction = direction
        self.repeatDelay = self.iterations > 1 && repeatDelay > 0 && repeatDelay.isFinite ? repeatDelay : 0
    }

    /// Cycles in the words of UIKit: `repeats` further ones, and with `autoreverse` each is there and back.
    ///
    /// With `autoreverse` the motion ends where it started, unless `repeats` ends in .5.
    public init(repeats: Double, autoreverse: Bool = false, repeatDelay: Double = 0) {
        let count = 1 + (repeats > 0 ? repeats : 0)
        self.init(
            iterations: autoreverse ? 2 * count : count, direction: autoreverse ? .alternate : .normal,
            repeatDelay: repeatDelay)
    }

    /// Seconds of all cycles of that duration, with what lies between them; 0 when either factor is 0, even if the other is
    /// infinite.
    /// - Parameter start: Where in the cycles they begin.
    @inline(__always)
    func duration(of cycle: Double, from start: Double = 0) -> Double {
        if cycle == 0 || iterations == 0 { return 0 }
        guard repeatDelay > 0 else { return cycle * iterations }
        let gaps = (start + iterations).rounded(.up) - start.rounded(.down) - 1
        return cycle * iterations + max(gaps, 0) * repeatDelay
    }

    /// Whether the first cycle runs forwards to its end.
    var beginsWhole: Bool { iterations >= 1 && (direction == .normal || direction == .alternate) }
}
