// Where and when a motion ends, and how far along it is.

extension Motion {
    /// The value it ends on.
    ///
    /// `to` as a rule; `from` where it runs backwards or returns; in between for a fraction of a cycle. For a motion
    /// that never ends it is the target of its first cycle's direction.
    public var destination: Double {
        if playback.rate < 0 { return value(atTime: goal) }
        guard endTime.isFinite else { return course.cycles.direction == .reverse ? from : to }
        return value(atTime: goal)
    }

    /// Seconds of its own time, delay included, held at the ends it runs towards.
    public func elapsed(at instant: Instant) -> Double {
        playback.currentTime(at: instant, end: endTime)
    }

    /// The share of the movement that is done, 0 to 1; of the present cycle for a motion that never ends.
    public func fraction(at instant: Instant) -> Double {
        let elapsed = elapsed(at: instant) - delay
        if elapsed < 0 { return 0 }
        guard activeDuration.isInfinite else { return activeDuration > 0 ? min(elapsed / activeDuration, 1) : 1 }
        guard cycleDuration > 0 else { return 0 }
        return min(
            elapsed.truncatingRemainder(dividingBy: cycleDuration + course.cycles.repeatDelay) / cycleDuration, 1)
    }

    /// The instant at which it is complete, end delay included; nil when that never comes.
    public var end: Instant? {
        playback.instant(of: goal)
    }

    /// The own time it runs towards: an end, or where a seek past it went.
    private var goal: Double {
        playback.rate < 0 ? min(0, playback.offset) : max(endTime, playback.offset)
    }

    /// The first instant from which the value is the destination for good, end delay not included; nil when that
    /// never comes. A motion that goes nowhere is there from the start.
    public var settled: Instant? {
        if from == to, keyframes == nil, handover == 0, playback.hold == nil { return playback.start }
        let movement = playback.rate < 0 ? min(delay, endTime) : min(movementEnd, endTime)
        let goal = playback.rate < 0 ? min(movement, playback.offset) : max(movement, playback.offset)
        return playback.instant(of: max(goal, 0))
    }

    /// Whether it is complete at an instant.
    public func isComplete(at instant: Instant) -> Bool {
        playback.state(at: instant, end: endTime) == .finished
    }

    /// The greatest magnitude that it shows, as far as 64 moments of its first two cycles tell.
    package var reach: Double {
        let span = cycleDuration.isFinite ? 2 * cycleDuration : 0
        return (0...64).reduce(max(from.magnitude, to.magnitude)) {
            max($0, value(atTime: delay + span * Double($1) / 64).magnitude)
        }
    }
}
