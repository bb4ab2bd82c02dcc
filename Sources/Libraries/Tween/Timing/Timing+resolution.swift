// Maps own time to progress, in the order of the Web Animations timing model (section 4.5 to 4.10 of its draft).

extension Timing {
    /// The position of own time relative to the cycles.
    public enum Phase: String, Hashable, Sendable {
        /// Before the first cycle.
        case before
        /// In one of the cycles.
        case active
        /// After the last cycle.
        case after
    }

    /// What an effect shows at a moment.
    public struct Resolution: Hashable, Sendable {
        /// The moment's phase.
        public let phase: Phase
        /// The eased progress; nil while the effect does not show.
        public let progress: Double?
        /// The cycle's number from 0, infinite after infinitely many; nil while the effect does not show.
        public let currentIteration: Double?
    }

    /// A moment within the cycles, before easing.
    struct Position {
        var phase: Phase
        /// Progress within the cycle after applying its direction, 0...1.
        var directed: Double
        var iteration: Double
        var isForwards: Bool
        /// Whether it is between two cycles, at the end of the previous one.
        var isResting = false
    }

    /// Returns what the effect shows at `localTime` seconds of its own time.
    ///
    /// `rate` is the playback rate. Only its sign matters, for the boundaries.
    public func resolution(at localTime: Double, rate: Double = 1) -> Resolution {
        let phase = phase(at: localTime, isReversed: rate < 0)
        let shows =
            switch phase {
            case .before: fill.reachesBack
            case .active: true
            case .after: fill.reachesForward
            }
        guard shows else { return Resolution(phase: phase, progress: nil, currentIteration: nil) }
        let position = position(at: localTime, in: phase)
        let before = phase == .before && position.isForwards || phase == .after && !position.isForwards
        return Resolution(
            phase: phase, progress: easing.value(at: position.directed, before: before),
            currentIteration: position.iteration)
    }

    /// Returns the phase. A boundary belongs to the phase that follows in the direction of play.
    func phase(at localTime: Double, isReversed: Bool) -> Phase {
        let end = endTime
        let beforeBoundary = max(min(delay, end), 0)
        let afterBoundary = max(min(delay + activeDuration, end), 0)
        if localTime < beforeBoundary || isReversed && localTime == beforeBoundary { return .before }
        if localTime > afterBoundary || !isReversed && localTime == afterBoundary { return .after }
        return .active
    }

    /// Returns the position in a known phase, as if the effect showed in every phase.
    func position(at localTime: Double, in phase: Phase) -> Position {
        let active = activeDuration
        let time =
            switch phase {
            case .before: max(localTime - delay, 0)
            case .active: localTime - delay
            // Not min(localTime - delay, active): rounding can make that end just too early.
            case .after: localTime >= delay + active ? active : max(localTime - delay, 0)
            }
        // At the end all cycles are done. The quotient can miss that by an ulp, and a step would be missing for as long as
        // it fills.
        let isDone = duration == 0 ? phase != .before : time == active
        if !isDone, repeatDelay > 0, duration > 0, let resting = restingPosition(at: time, in: phase) { return resting }
        let cycles = isDone ? iterations : duration == 0 ? 0 : (time - pauses(before: time)) / duration
        let overall = cycles + iterationStart
        var simple = (overall.isInfinite ? iterationStart : overall).truncatingRemainder(dividingBy: 1)
        if simple == 0, phase != .before, time == active, iterations != 0 { simple = 1 }
        let iteration: Double =
            if phase == .after && iterations.isInfinite {
                .infinity
            } else if simple == 1 {
                overall.rounded(.down) - 1
            } else {
                overall.rounded(.down)
            }
        let isForwards = isForwards(in: iteration)
        return Position(
            phase: phase, directed: isForwards ? simple : 1 - simple, iteration: iteration, isForwards: isForwards)
    }

    /// Returns how many cycles have begun after the first, and the seconds since the current one began. The cycle's duration
    /// comes first, then the delay before the next.
    private func period(at time: Double) -> (count: Double, within: Double) {
        let shifted = time + iterationStart.truncatingRemainder(dividingBy: 1) * duration
        let count = (shifted / (duration + repeatDelay)).rounded(.down)
        return (count, max(shifted - count * (duration + repeatDelay), 0))
    }

    /// Returns the seconds of delays between cycles before a time within one.
    private func pauses(before time: Double) -> Double { repeatDelay > 0 ? period(at: time).count * repeatDelay : 0 }

    /// Returns the position between two cycles; nil within one.
    private func restingPosition(at time: Double, in phase: Phase) -> Position? {
        let (count, within) = period(at: time)
        guard within >= duration else { return nil }
        let iteration = iterationStart.rounded(.down) + count
        let isForwards = isForwards(in: iteration)
        return Position(
            phase: phase, directed: isForwards ? 1 : 0, iteration: iteration, isForwards: isForwards, isResting: true)
    }

    /// Returns whether a cycle runs forwards; infinity counts as even.
    func isForwards(in iteration: Double) -> Bool {
        let isEven = iteration.isInfinite || iteration.truncatingRemainder(dividingBy: 2) == 0
        return switch direction {
        case .normal: true
        case .reverse: false
        case .alternate: isEven
        // Infinity counts as forwards here too; the parity of infinity + 1 is undefined.
        case .alternateReverse: iteration.isInfinite || !isEven
        }
    }
}
