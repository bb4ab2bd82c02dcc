// The way from one number to another, apart from the numbers and the instants.

extension Motion {
    /// How a motion gets to its end.
    public enum Course: Hashable, Sendable {
        /// Along an easing, in a given time.
        case timed(Timing)
        /// By a spring: seconds before it is let go, seconds after it has settled before the motion is complete, how often
        /// it is let go, and the distance in units that counts as settled.
        ///
        /// A cycle takes the time in which the spring settles. One that runs backwards shows the same values in reverse
        /// order, and what is left of the way when a cycle ends is spread over it, so that it turns exactly at the ends.
        /// A velocity at the start belongs to the first cycle; the others are let go at rest, and where that takes
        /// longer, the first takes as long as they do.
        case spring(Spring, delay: Double, endDelay: Double, cycles: Cycles = .once, threshold: Double)

        /// Whether it goes along an easing.
        var isTimed: Bool { if case .timed = self { true } else { false } }

        /// Seconds before anything moves, as they were given.
        public var delay: Double {
            switch self {
            case .timed(let timing): timing.delay
            case .spring(_, let delay, _, _, _): delay
            }
        }

        /// Seconds after the last cycle before the motion is complete, as they were given.
        public var endDelay: Double {
            switch self {
            case .timed(let timing): timing.endDelay
            case .spring(_, _, let endDelay, _, _): endDelay
            }
        }

        /// How often the way is gone, and in which direction.
        public var cycles: Cycles {
            switch self {
            case .timed(let timing): timing.cycles
            case .spring(_, _, _, let cycles, _): cycles
            }
        }
    }
}
