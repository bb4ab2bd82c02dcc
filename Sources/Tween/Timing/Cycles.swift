// How often a way is gone, and in which direction each time: what easings and springs have in common.

/// The cycles of a motion, in the terms of Web Animations.
public struct Cycles: Hashable, Sendable {
    /// How many: at least 0, may be fractional or infinite; what is not a number counts as 0.
    public let iterations: Double
    /// Which way they run.
    public let direction: Direction

    /// Once, from the start to the target.
    public static let once = Cycles()

    /// Cycles; the defaults are one that runs forwards.
    public init(iterations: Double = 1, direction: Direction = .normal) {
        self.iterations = iterations > 0 ? iterations : 0
        self.direction = direction
    }

    /// Cycles in the words of UIKit: `repeats` further ones, and with `autoreverse` each is there and back.
    ///
    /// With `autoreverse` the motion ends where it started, unless `repeats` ends in .5.
    public init(repeats: Double, autoreverse: Bool = false) {
        let count = 1 + max(repeats, 0)
        self.init(iterations: autoreverse ? 2 * count : count, direction: autoreverse ? .alternate : .normal)
    }

    /// Whether the first cycle runs forwards to its end.
    var beginsWhole: Bool { iterations >= 1 && (direction == .normal || direction == .alternate) }
}
