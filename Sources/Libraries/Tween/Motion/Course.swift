// The way from one number to another, without the numbers and instants.

extension Motion {
    /// How a motion gets to its end.
    public enum Course: Hashable, Sendable {
        /// Along an easing, in a given time.
        case timed(Timing)
        /// By a spring: seconds before its release, seconds after it has settled before the motion is complete, its cycles,
        /// and the distance in units that counts as settled.
        ///
        /// A cycle lasts until the spring has settled. A cycle that runs backwards shows the same values in reverse order. A
        /// spring never quite arrives: the rest of the distance is distributed over a cycle, so that each turns exactly at its
        /// ends. An initial velocity applies to the first cycle; the others start at rest. If they take longer to settle, the
        /// first cycle is as long as they are.
        case spring(Spring, delay: Double, endDelay: Double, cycles: Cycles = .once, threshold: Double)

        /// Whether it goes along an easing.
        var isTimed: Bool { if case .timed = self { true } else { false } }

        /// Seconds before anything moves, as given.
        public var delay: Double {
            switch self {
            case .timed(let timing): timing.delay
            case .spring(_, let delay, _, _, _): delay
            }
        }

        /// Seconds after the last cycle before the motion is complete, as given.
        public var endDelay: Double {
            switch self {
            case .timed(let timing): timing.endDelay
            case .spring(_, _, let endDelay, _, _): endDelay
            }
        }

        /// How often the way is repeated, and in which direction.
        public var cycles: Cycles {
            switch self {
            case .timed(let timing): timing.cycles
            case .spring(_, _, _, let cycles, _): cycles
            }
        }
    }
}
