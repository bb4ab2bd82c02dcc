// How fast a progress goes, how long it has taken and will take. Pure: every function takes the instant.

import Base
package import Labels
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
        guard run == nil, case .progress(let rendering) = rendering, case .value(let maximum) = rendering.maximum else {
            return false
        }
        return target >= maximum
    }

    /// Whether time alone changes what is known of its pace.
    package var isTimed: Bool { pace.startTime != nil && !isDone && pausedSince == nil }

    /// Whether it shows other things as time goes by though nothing moves: then it needs frames by the clock.
    package var followsTime: Bool {
        guard case .progress(let rendering) = rendering else { return false }
        return rendering.followsTime && isTimed
    }

    /// Whether progress has stopped coming: it came at a rate, and three times the usual gap between updates has gone by
    /// without any while nothing moves. What was sent somewhere, and is there, has not stalled.
    package func isStalled(at now: Instant) -> Bool {
        guard !isDone, !isPaused, !isUnderWay(at: now), pace.sampleCount >= 2, let gap = cadence.usualGap,
            let last = pace.lastTime, let update = cadence.lastUpdate
        else { return false }
        let since = max(last, update.unixSeconds, pace.lookedAwayUntil)
        return now.unixSeconds - since > max(3 * gap, Self.shortestStall)
    }

    /// Seconds without progress that are no stall, however fast it came before.
    private static let shortestStall = 1.0

    /// How the progress moves along; of one that is paused, how it did until then.
    package func pace(at present: Instant) -> ProgressPace {
        let now = pausedSince ?? present
        let seconds = now.unixSeconds
        let state: ProgressDescriptor.State =
            isDone ? .done : isPaused ? .paused : isStalled(at: now) ? .stalled : .running
        var pace = ProgressPace(elapsed: elapsed(at: now), state: state)
        guard state != .done else {
            pace.secondsLeft = 0
            return pace
        }
        let seen = seenPace(at: now)
        let passage = run.flatMap { $0.isPassage ? $0 : nil }
        pace.rate = seen.calmRate(at: seconds) ?? passage.map(\.rate)
        guard case .progress(let rendering) = rendering, case .value(let maximum) = rendering.maximum else {
            return pace
        }
        let remaining = maximum.double - target.double
        if let passage {
            // How long that takes is known; what is left behind its end is estimated.
            guard let left = passage.secondsLeft(at: present), left > 0 else { return pace }
            let rest = remaining > 0 ? pace.rate.map { remaining / $0 } : 0
            pace.secondsLeft = rest.map { left + $0 }
        } else if remaining > 0, state != .stalled {
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
        guard pausedSince == nil, let run, run.isPassage else { return pace }
        let interval = RateEstimator.refreshInterval
        let seconds = (now.unixSeconds / interval).rounded(.down) * interval
        guard let last = pace.lastTime, seconds > last else { return pace }
        var seen = self
        let instant = now.advanced(bySeconds: seconds - now.unixSeconds)
        seen.observe(run.seen(at: instant), at: instant)
        return seen.pace
    }

    /// Notes where a motion sets out that has just begun. One that is short shows a step that has been made; one that
    /// takes its time is the progress itself.
    /// - Parameter before: The track without it.
    mutating func observeStart(after before: Track, at now: Instant) {
        guard let run else { return }
        guard run.isPassage else { return observe(destination(of: run).double, at: now) }
        // A step counts when it is made, also where its motion is cut off.
        let cut = before.run.flatMap { $0.isPassage ? nil : before.pace.lastPosition }
        observe(max(run.seen(run.origin.double), cut ?? -.greatestFiniteMagnitude), at: now)
        let seconds = (pausedSince ?? now).unixSeconds
        if let last = pace.lastTime, seconds - last <= run.span { pace.begin(at: seconds) }
    }

    /// Notes how far a long motion has come that is over.
    mutating func observeEnd(of run: Run, at position: Position, _ now: Instant) {
        guard name.kind == .progress, run.isPassage else { return }
        observe(run.seen(position.double), at: now)
    }

    /// Takes a position: as progress, unless it was done before the task began here, or while it was paused.
    private mutating func observe(_ position: Double, at now: Instant) {
        let seconds = (pausedSince ?? now).unixSeconds
        if let initial, position <= initial { return pace.goOn(from: initial, at: seconds) }
        if pausedSince != nil { return pace.skip(to: position, at: seconds) }
        pace.observe(position, at: seconds)
    }

    /// Up to where it was done before.
    var initial: Double? {
        guard case .progress(let rendering) = rendering else { return nil }
        return rendering.style.initial?.double
    }

    /// Leaves out what turns out to have been done before.
    mutating func observeInitial(after before: Rendering, at now: Instant) {
        guard let initial, case .progress(let known) = before, known.style.initial?.double != initial,
            let position = pace.lastPosition
        else { return }
        if position <= initial { observe(position, at: now) }
    }

    /// Notes how far a long motion has come that is about to be paused.
    mutating func observePassage(at now: Instant) {
        guard let run, run.isPassage else { return }
        observe(run.seen(at: now), at: now)
    }

    /// Leaves out how far a long motion has come that went on while its progress was paused.
    mutating func skipPassage(at now: Instant) {
        guard let run, run.isPassage else { return }
        pace.skip(to: run.seen(at: now), at: now.unixSeconds)
    }

    /// Nobody could tell of progress until now: that it was slow meanwhile nobody knows. A long motion goes on by itself, to
    /// its end.
    mutating func lookAgain(at now: Instant) {
        guard name.kind == .progress, pausedSince == nil, !isDone else { return }
        if let run, run.isPassage {
            guard !isUnderWay(at: now) else { return }
            if let end = run.settled { observe(run.seen(destination(of: run).double), at: end) }
        }
        pace.lookAgain(at: now.unixSeconds)
    }

    /// Seconds since the first position was seen, but those for which it was paused; a progress that is done took until its
    /// last update.
    func elapsed(at now: Instant) -> Double? {
        guard let start = pace.startTime, let last = pace.lastTime else { return nil }
        return max(0, (isDone ? last : (pausedSince ?? now).unixSeconds) - start)
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

    /// Seconds until it is there, or would be if it went on now; nil where that never comes.
    fileprivate func secondsLeft(at now: Instant) -> Double? {
        let going = motion.isPaused ? playing { $0.resume(at: now) } : self
        return going.settled?.seconds(since: now)
    }

    /// How far it has come by its own time, as progress.
    fileprivate func seen(at now: Instant) -> Double {
        seen(origin.double + (request.target.double - origin.double) * motion.fraction(at: now))
    }

    /// A value on the way as progress: what swings over the target has not come further than it.
    fileprivate func seen(_ value: Double) -> Double { min(value, max(request.target.double, origin.double)) }
}

extension Instant {
    /// Seconds of the Unix epoch, to a microsecond or better.
    var unixSeconds: Double { Double(nanoseconds) / 1e9 }
}
