// How fast a progress goes, how long it has taken and will take. Pure: every function takes the instant.

package import Labels
package import Tween

/// How a progress moves along.
package struct ProgressPace: Hashable, Sendable {
    /// Seconds since its first position was seen, until it was done.
    package var elapsed: Double?
    /// Units per second lately.
    package var rate: Double?
    /// Seconds left at that rate.
    package var secondsLeft: Double?
    /// Seconds left between the recent rate and the average over all the time.
    package var range: ClosedRange<Double>?
    package var state: ProgressDescriptor.State
}

extension Track {
    /// Whether a progress has arrived at its maximum for good.
    package var isDone: Bool {
        guard run == nil, case .progress(let face) = face, case .value(let maximum) = face.maximum else { return false }
        return target >= maximum
    }

    /// Whether it shows other things as time goes by though nothing moves: then it needs frames by the clock.
    package var followsTime: Bool {
        guard case .progress(let face) = face, pace.startTime != nil else { return false }
        return face.followsTime && !isDone
    }

    /// Whether updates have stopped coming: three times the usual gap has gone by without progress.
    package func isStalled(at now: Instant) -> Bool { !isDone && pace.isStalled(at: now.unixSeconds) }

    /// How the progress moves along.
    package func pace(at now: Instant) -> ProgressPace {
        let seconds = now.unixSeconds
        let isStalled = isStalled(at: now)
        let state: ProgressDescriptor.State =
            isDone ? .done : run?.motion.isPaused == true ? .paused : isStalled ? .stalled : .running
        var pace = ProgressPace(elapsed: elapsed(at: now), state: state)
        guard state != .done else { return pace }
        pace.rate = self.pace.calmRate(at: seconds)
        guard case .progress(let face) = face, case .value(let maximum) = face.maximum, target < maximum else {
            return pace
        }
        let remaining = maximum.double - target.double
        pace.secondsLeft = self.pace.calmSeconds(remaining: remaining, at: seconds)
        pace.range = self.pace.estimate(remaining: remaining, at: seconds)?.range
        return pace
    }

    /// Seconds since the first position was seen; a progress that is done took until its last update.
    func elapsed(at now: Instant) -> Double? {
        guard let start = pace.startTime, let last = pace.lastTime else { return nil }
        return max(0, (isDone ? last : now.unixSeconds) - start)
    }
}

extension Instant {
    /// Seconds of the Unix epoch, to a microsecond or better.
    var unixSeconds: Double { Double(nanoseconds) / 1e9 }
}
