// How fast a progress goes, how long it has taken and will take. Pure: every function takes the instant.

package import Labels
import Primitives
package import Tween

/// How a progress moves along.
package struct ProgressPace: Hashable, Sendable {
    /// Seconds since its first position was seen, until it was done.
    package var elapsed: Double?
    /// Units per second lately.
    package var rate: Double?
    /// Seconds left at that rate; 0 when it is done.
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

    /// Whether progress has stopped coming: three times the usual gap has gone by without any, and nothing moves.
    package func isStalled(at now: Instant) -> Bool {
        !isDone && !isUnderWay(at: now) && pace.isStalled(at: now.unixSeconds)
    }

    /// How the progress moves along.
    package func pace(at now: Instant) -> ProgressPace {
        let seconds = now.unixSeconds
        let isStalled = isStalled(at: now)
        let state: ProgressDescriptor.State =
            isDone ? .done : run?.motion.isPaused == true ? .paused : isStalled ? .stalled : .running
        var pace = ProgressPace(elapsed: elapsed(at: now), state: state)
        guard state != .done else {
            pace.secondsLeft = 0
            return pace
        }
        let seen = seenPace(at: now)
        let passage = run.flatMap { $0.isPassage ? $0 : nil }
        pace.rate = seen.calmRate(at: seconds) ?? passage.map(\.rate)
        guard case .progress(let face) = face, case .value(let maximum) = face.maximum else { return pace }
        let remaining = maximum.double - target.double
        if let passage {
            // How long that takes is known; what is left behind its end is estimated.
            guard let end = passage.settled, isUnderWay(at: now) else { return pace }
            let rest = remaining > 0 ? pace.rate.map { remaining / $0 } : 0
            pace.secondsLeft = rest.map { max(0, end.seconds(since: now)) + $0 }
        } else if remaining > 0 {
            pace.secondsLeft = seen.calmSeconds(remaining: remaining, at: seconds)
            pace.range = seen.estimate(remaining: remaining, at: seconds)?.range
        }
        return pace
    }

    /// Whether the bar is on its way.
    private func isUnderWay(at now: Instant) -> Bool {
        guard isMoving, let run else { return false }
        return run.settled.map { now < $0 } ?? true
    }

    /// What was seen, with how far a long motion has come since: looked at as often as rates are shown.
    private func seenPace(at now: Instant) -> RateEstimator {
        guard let run, run.isPassage else { return pace }
        let interval = RateEstimator.refreshInterval
        let seconds = (now.unixSeconds / interval).rounded(.down) * interval
        guard let last = pace.lastTime, seconds > last else { return pace }
        let instant = now.advanced(bySeconds: seconds - now.unixSeconds)
        let way = run.request.target.double - run.origin.double
        var seen = pace
        seen.observe(run.origin.double + way * run.motion.fraction(at: instant), at: seconds)
        return seen
    }

    /// Notes where a motion sets out that has just begun. One that is short shows a step that has been made; one that
    /// takes its time is the progress itself.
    /// - Parameter before: The track without it.
    mutating func observeStart(after before: Track, at now: Instant) {
        guard let run else { return }
        let seconds = now.unixSeconds
        guard run.isPassage else { return pace.observe(destination(of: run).double, at: seconds) }
        // A step counts when it is made, also where its motion is cut off.
        let cut = before.run.flatMap { $0.isPassage ? nil : before.pace.lastPosition }
        pace.observe(max(run.seen(run.origin.double), cut ?? -.greatestFiniteMagnitude), at: seconds)
        if let last = pace.lastTime, seconds - last <= run.span { pace.begin(at: seconds) }
    }

    /// Notes how far a long motion has come that is over.
    mutating func observeEnd(of run: Run, at position: Position, _ now: Instant) {
        guard name.kind == .progress, run.isPassage else { return }
        pace.observe(run.seen(position.double), at: now.unixSeconds)
    }

    /// Seconds since the first position was seen; a progress that is done took until its last update.
    func elapsed(at now: Instant) -> Double? {
        guard let start = pace.startTime, let last = pace.lastTime else { return nil }
        return max(0, (isDone ? last : now.unixSeconds) - start)
    }
}

extension Run {
    /// Seconds that a motion takes at least which is looked at on its way: what is shorter is seen as a step.
    private static let shortestPassage = 1.0

    /// Whether it is progress itself: it goes forward to its target, and takes its time.
    fileprivate var isPassage: Bool {
        span >= Self.shortestPassage && request.waypoints.isEmpty && request.repeats == 0 && !request.autoreverse
            && request.direction == .normal
            && motion.playback.rate > 0 && request.target.double > origin.double
    }

    /// Units per second on average; for one that is a passage.
    fileprivate var rate: Double { (request.target.double - origin.double) / span * motion.playback.rate }

    /// A value on the way as progress: what swings over the target has not come further than it.
    fileprivate func seen(_ value: Double) -> Double { min(value, max(request.target.double, origin.double)) }
}

extension Instant {
    /// Seconds of the Unix epoch, to a microsecond or better.
    var unixSeconds: Double { Double(nanoseconds) / 1e9 }
}
