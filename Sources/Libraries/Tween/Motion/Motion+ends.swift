// Where and when a motion ends, and its progress.

extension Motion {
    /// The value it ends on.
    ///
    /// Usually `to`; `from` if it runs backwards or returns; in between for a fraction of a cycle. For an endless motion,
    /// the target of its first cycle's direction.
    public var destination: Double {
        if playback.rate < 0 { return value(atTime: goal) }
        guard endTime.isFinite else { return course.cycles.direction == .reverse ? from : to }
        return value(atTime: goal)
    }

    /// Returns the seconds of its own time, delay included, clamped at the end it runs towards.
    public func elapsed(at instant: Instant) -> Double {
        playback.currentTime(at: instant, end: endTime)
    }

    /// Returns the completed fraction of the movement, 0 to 1; of the current cycle for an endless motion.
    public func fraction(at instant: Instant) -> Double {
        let elapsed = elapsed(at: instant) - delay
        if elapsed < 0 { return 0 }
        guard activeDuration.isInfinite else { return activeDuration > 0 ? min(elapsed / activeDuration, 1) : 1 }
        guard cycleDuration > 0 else { return 0 }
        return min(
            elapsed.truncatingRemainder(dividingBy: cycleDuration + course.cycles.repeatDelay) / cycleDuration, 1)
    }

    /// The instant at which it is complete, end delay included; nil if it never is.
    public var end: Instant? {
        playback.instant(of: goal)
    }

    /// The own time it runs towards: an end, or the position of a seek beyond it.
    private var goal: Double {
        playback.rate < 0 ? min(0, playback.offset) : max(endTime, playback.offset)
    }

    /// The first instant from which the value stays the destination, end delay excluded; nil if there is none. A motion
    /// without movement is there from the start.
    public var settled: Instant? {
        if from == to, keyframes == nil, handover == 0, playback.hold == nil { return playback.start }
        let movement = playback.rate < 0 ? min(delay, endTime) : min(movementEnd, endTime)
        let goal = playback.rate < 0 ? min(movement, playback.offset) : max(movement, playback.offset)
        return playback.instant(of: max(goal, 0))
    }

    /// Returns whether it is complete at an instant.
    public func isComplete(at instant: Instant) -> Bool {
        playback.state(at: instant, end: endTime) == .finished
    }

    /// The greatest magnitude it shows, estimated from 64 moments of its first two cycles.
    package var reach: Double {
        let span = cycleDuration.isFinite ? 2 * cycleDuration : 0
        return (0...64).reduce(max(from.magnitude, to.magnitude)) {
            max($0, value(atTime: delay + span * Double($1) / 64).magnitude)
        }
    }
}
