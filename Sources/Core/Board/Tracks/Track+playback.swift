// Playback control of a track's motion: pause, resume, cancel, finish, seek, rate.

import Base
import Labels
import Tween

extension Track {
    /// Applies a playback operation.
    /// - Returns: The run that it ended, if any.
    mutating func play(_ operation: PlaybackOperation, at now: Instant) throws(CommandError) -> EndedRun? {
        if name.kind == .progress { hold(operation, at: now) }
        guard var run else { return try playWhileIdle(operation) }
        switch operation {
        case .pause: run = run.playing { $0.pause(at: now) }
        case .resume: run = run.playing { $0.resume(at: now) }
        case .seekFraction(let fraction):
            guard !run.request.repeats.isInfinite else {
                throw .conflict(reason: "an endless motion has no fraction to seek to; use `seconds`")
            }
            run = run.playing { $0.seek(toFraction: fraction, at: now) }
        case .seekSeconds(let seconds): run = run.playing { $0.seek(toSeconds: seconds, at: now) }
        case .rate(let rate): run = turning(run, to: rate, at: now)
        case .cancel:
            revision += 1
            return stop(run, showing: position(at: now), .cancelled, at: now)
        case .finish:
            guard !run.request.repeats.isInfinite || run.motion.playback.rate < 0 else {
                throw .conflict(reason: "an endless motion can't be finished; cancel it instead")
            }
            revision += 1
            return stop(run, showing: destination(of: run), .finished, at: now)
        }
        self.run = run
        aim(at: rest(of: run), from: now)
        let shown = value(at: now)
        self.run = run.with(milestones: run.milestones, crossed: run.crossed, lastValue: shown)
        revision += 1
        touch(at: now)
        return nil
    }

    /// Pauses or resumes the progress itself: its pace stands still, whatever its number does.
    private mutating func hold(_ operation: PlaybackOperation, at now: Instant) {
        switch operation {
        case .pause where pausedSince == nil && !isDone:
            observePassage(at: now)
            pausedSince = now
        case .resume:
            guard let since = pausedSince else { return }
            pausedSince = nil
            let seconds = now.seconds(since: since)
            pace.shift(bySeconds: seconds)
            cadence.shift(byNanoseconds: now.nanoseconds.subtractingSaturated(since.nanoseconds))
            skipPassage(at: now)
        case .pause, .cancel, .finish, .seekFraction, .seekSeconds, .rate: return
        }
        // If there is a motion, its own pause counts the revision.
        guard run == nil else { return }
        revision += 1
        touch(at: now)
    }

    /// Returns a run at another rate. If it turns round, its maximum still goes where it was to go.
    private func turning(_ run: Run, to rate: Double, at now: Instant) -> Run {
        let turned = run.playing { $0.setRate(rate, at: now) }
        guard run.maximum != nil, (rate < 0) != (run.motion.playback.rate < 0), let shown = maximum(at: now),
            let goal = rendering.spec.maximum
        else { return turned }
        return turned.with(maximum: turned.change(ofMaximum: shown, to: goal, at: now))
    }

    /// Delays the completion of a motion that takes (almost) no time until an instant; what it shows stays the same.
    mutating func postponeCompletion(to soonest: Instant, at now: Instant) {
        guard let motion = run?.motion, let end = motion.end, end < soonest else { return }
        let (rate, seconds) = (motion.playback.rate, soonest.seconds(since: end))
        // The delay at the end that it runs towards.
        let course =
            rate < 0 ? motion.course.adding(delay: -rate * seconds) : motion.course.adding(endDelay: rate * seconds)
        run = run?.playing {
            $0 = Motion(
                from: motion.from, to: motion.to, course: course, along: motion.keyframes, handover: motion.handover,
                overshoot: motion.overshoot, playback: motion.playback)
            $0.begin(at: now, rate: rate)
        }
    }

    /// Whether its motion has reached its end, and only the pace of actions keeps it from being complete. A microsecond covers
    /// the rounding of instants.
    func hasArrived(at now: Instant) -> Bool {
        guard let run, let end = run.motion.end else { return false }
        let (motion, request) = (run.motion, run.request)
        let isBackwards = motion.playback.rate < 0
        let delay = isBackwards ? motion.delay : motion.course.endDelay
        let asked = isBackwards ? request.delay : request.endDelay
        let added = request.animated ? delay - asked : delay
        // What fired late starts its motions later than what is due after it.
        let now = max(now, motion.playback.start)
        return end.seconds(since: now) <= (added > 0 ? added / abs(motion.playback.rate) + 1e-6 : 0)
    }

    /// Ends the run that has reached its end.
    mutating func complete(at now: Instant) -> EndedRun? {
        guard let run else { return nil }
        var ended = stop(run, showing: destination(of: run), .finished, at: now)
        ended.isInstant = run.motion.endTime - run.request.endDelay <= 0
        return ended
    }

    /// Ends the current run because the track is removed.
    func removalOfRun(at now: Instant) -> EndedRun? {
        run.map { ended($0, .removed, at: now) }
    }

    private mutating func stop(
        _ run: Run, showing position: Position, _ reason: CompletionReason, at now: Instant
    ) -> EndedRun {
        observeEnd(of: run, at: position, now)
        rest = position
        switch position {
        case .exact(let value): aim(at: value, from: now)
        case .moving(let value): aim(at: .init(value) ?? target, from: now)
        }
        self.run = nil
        touch(at: now)
        return ended(run, reason, at: now)
    }

    private func playWhileIdle(_ operation: PlaybackOperation) throws(CommandError) -> EndedRun? {
        switch operation {
        // Idempotent: nothing moves, which is what was asked for. A progress is paused in `hold`.
        case .pause, .resume, .cancel, .finish: return nil
        case .seekFraction, .seekSeconds, .rate: throw .conflict(reason: "no motion is running")
        }
    }
}

extension Motion.Course {
    /// Returns the same course with longer delays, in seconds of its own time.
    fileprivate func adding(delay: Double = 0, endDelay: Double = 0) -> Motion.Course {
        switch self {
        case .timed(let timing):
            .timed(
                Timing(
                    duration: timing.duration, delay: timing.delay + delay, endDelay: timing.endDelay + endDelay,
                    cycles: timing.cycles, easing: timing.easing))
        case .spring(let spring, let before, let after, let cycles, let threshold):
            .spring(spring, delay: before + delay, endDelay: after + endDelay, cycles: cycles, threshold: threshold)
        }
    }
}
