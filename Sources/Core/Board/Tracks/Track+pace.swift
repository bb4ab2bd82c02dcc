// A progress' rate, its elapsed time and its remaining time. Pure: every function takes the instant.

import Base
package import Labels
package import Tween

/// The rate and times of a progress.
package struct ProgressPace: Hashable, Sendable {
    /// Seconds from the first observed position until now, or until it was done.
    package var elapsed: Double?
    /// The recent rate in units per second.
    package var rate: Double?
    /// Seconds left at that rate; 0 when it is done.
    package var secondsLeft: Double?
    /// Seconds left, between the estimates by the recent rate and by the overall average.
    package var range: ClosedRange<Double>?
    package var state: ProgressDescriptor.State
}

extension Track {
    /// Whether a progress rests at its maximum.
    package var isDone: Bool {
        guard run == nil, case .progress(let rendering) = rendering, case .value(let maximum) = rendering.maximum else {
            return false
        }
        return target >= maximum
    }

    /// Whether its pace changes with time alone.
    package var isTimed: Bool { pace.startTime != nil && !isDone && pausedSince == nil }

    /// Whether its label changes with time alone, so that it needs frames by the clock even at rest.
    package var followsTime: Bool {
        guard case .progress(let rendering) = rendering else { return false }
        return rendering.followsTime && isTimed
    }

    /// Whether progress has stalled: it had a rate, nothing moves, and there was no update for three times the usual gap. A
    /// progress whose target is reached and done has not stalled.
    package func isStalled(at now: Instant) -> Bool {
        guard !isDone, !isPaused, !isUnderWay(at: now), pace.sampleCount >= 2, let gap = cadence.usualGap,
            let last = pace.lastTime, let update = cadence.lastUpdate
        else { return false }
        let since = max(last, update.unixSeconds, pace.lookedAwayUntil)
        return now.unixSeconds - since > max(3 * gap, Self.shortestStall)
    }

    /// A gap of up to this many seconds is never a stall, however fast updates came before.
    private static let shortestStall = 1.0

    /// Returns the pace of the progress; for a paused one, as it was when it was paused.
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
        pace.rate = seen.smoothedRate(at: seconds) ?? passage.map(\.rate)
        guard case .progress(let rendering) = rendering, case .value(let maximum) = rendering.maximum else {
            return pace
        }
        let remaining = maximum.double - target.double
        if let passage {
            // The motion's remaining time is known; only the time after its end is estimated.
            guard let left = passage.secondsLeft(at: present), left > 0 else { return pace }
            let rest = remaining > 0 ? pace.rate.map { remaining / $0 } : 0
            pace.secondsLeft = rest.map { left + $0 }
        } else if remaining > 0, state != .stalled {
            let estimate = seen.smoothedEstimate(remaining: remaining, at: seconds)
            (pace.secondsLeft, pace.range) = (estimate?.seconds, estimate?.range)
        }
        return pace
    }

    /// Whether the bar is moving.
    private func isUnderWay(at now: Instant) -> Bool {
        guard isMoving, let run else { return false }
        return run.settled.map { now < $0 } ?? true
    }

    /// The observed pace, including the advance of a long motion, sampled as often as rates are shown.
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

    /// Records the start of a motion. A short motion shows a step that is already made; a long one is the progress itself.
    /// - Parameter before: The track before the update.
    mutating func observeStart(after before: Track, at now: Instant) {
        guard let run else { return }
        guard run.isPassage else { return observe(destination(of: run).double, at: now) }
        // A step counts in full, even if its motion was interrupted.
        let cut = before.run.flatMap { $0.isPassage ? nil : before.pace.lastPosition }
        observe(max(run.seen(run.origin.double), cut ?? -.greatestFiniteMagnitude), at: now)
        let seconds = (pausedSince ?? now).unixSeconds
        if let last = pace.lastTime, seconds - last <= run.span { pace.begin(at: seconds) }
    }

    /// Records how far a long motion came when it ended.
    mutating func observeEnd(of run: Run, at position: Position, _ now: Instant) {
        guard name.kind == .progress, run.isPassage else { return }
        observe(run.seen(position.double), at: now)
    }

    /// Observes a position. It counts as progress unless it was done before the task began here, or while it was paused.
    private mutating func observe(_ position: Double, at now: Instant) {
        let seconds = (pausedSince ?? now).unixSeconds
        if let initial, position <= initial { return pace.resume(from: initial, at: seconds) }
        if pausedSince != nil { return pace.skip(to: position, at: seconds) }
        pace.observe(position, at: seconds)
    }

    /// The amount that was done before the task began here.
    var initial: Double? {
        guard case .progress(let rendering) = rendering else { return nil }
        return rendering.style.initial?.double
    }

    /// Excludes an amount that the new rendering declares as done before.
    mutating func observeInitial(after before: Rendering, at now: Instant) {
        guard let initial, case .progress(let known) = before, known.style.initial?.double != initial,
            let position = pace.lastPosition
        else { return }
        if position <= initial { observe(position, at: now) }
    }

    /// Records how far a long motion has come before it is paused.
    mutating func observePassage(at now: Instant) {
        guard let run, run.isPassage else { return }
        observe(run.seen(at: now), at: now)
    }

    /// Excludes the distance that a long motion covered while its progress was paused.
    mutating func skipPassage(at now: Instant) {
        guard let run, run.isPassage else { return }
        pace.skip(to: run.seen(at: now), at: now.unixSeconds)
    }

    /// Ignores the time during which no update could arrive, so that it does not count as slow. A long motion continues on
    /// its own to its end.
    mutating func lookAgain(at now: Instant) {
        guard name.kind == .progress, pausedSince == nil, !isDone else { return }
        if let run, run.isPassage {
            guard !isUnderWay(at: now) else { return }
            if let end = run.settled { observe(run.seen(destination(of: run).double), at: end) }
        }
        pace.lookAgain(at: now.unixSeconds)
    }

    /// Returns the seconds since the first observed position, without pauses. A progress that is done counts until its last
    /// update.
    func elapsed(at now: Instant) -> Double? {
        guard let start = pace.startTime, let last = pace.lastTime else { return nil }
        return max(0, (isDone ? last : (pausedSince ?? now).unixSeconds) - start)
    }
}

extension Run {
    /// The shortest motion, in seconds, that is observed on its way; a shorter one counts as a step.
    private static let shortestPassage = 1.0

    /// Whether the motion itself is progress: it goes forward to its target and takes at least `shortestPassage`.
    fileprivate var isPassage: Bool {
        span >= Self.shortestPassage && request.waypoints.isEmpty && request.repeats == 0 && !request.autoreverse
            && request.direction == .normal
            && motion.playback.rate > 0 && request.target.double > origin.double
    }

    /// The average units per second of a passage.
    fileprivate var rate: Double { (request.target.double - origin.double) / span * motion.playback.rate }

    /// Seconds until it arrives, or would arrive if it resumed now; nil when it never arrives.
    fileprivate func secondsLeft(at now: Instant) -> Double? {
        let going = motion.isPaused ? playing { $0.resume(at: now) } : self
        return going.settled?.seconds(since: now)
    }

    /// How far the motion has come in its local time, as progress.
    fileprivate func seen(at now: Instant) -> Double {
        seen(origin.double + (request.target.double - origin.double) * motion.fraction(at: now))
    }

    /// Clamps a value to the target: overshoot is no progress.
    fileprivate func seen(_ value: Double) -> Double { min(value, max(request.target.double, origin.double)) }
}

extension Instant {
    /// Seconds of the Unix epoch, to a microsecond or better.
    var unixSeconds: Double { Double(nanoseconds) / 1e9 }
}
