// Several numbers that move together: one motion each, and a common playback.

/// The motions of a vector's coordinates.
struct CoordinateMotions: Hashable, Sendable {
    private var motions: [Motion]
    /// The common playback. Pass ``endTime`` to its commands as the end.
    var playback: Playback {
        didSet {
            for index in motions.indices { motions[index].playback = playback }
        }
    }
    /// Seconds of own time at which the last motion is complete.
    let endTime: Double

    /// Creates motions that start together, with velocities in units per second of own time. A coordinate that
    /// `start` lacks begins at its target.
    init(
        from start: [Double], to target: [Double], course: Motion.Course, startingAt instant: Instant,
        velocity: [Double] = [], rate: Double = 1
    ) {
        let playback = Playback(start: instant, rate: rate)
        func motions(leastCycle: Double) -> [Motion] {
            target.indices.map { index in
                Motion(
                    from: index < start.count ? start[index] : target[index], to: target[index], course: course,
                    handover: index < velocity.count ? velocity[index] : 0, overshoot: .allow, playback: playback,
                    leastCycle: leastCycle)
            }
        }
        var all = motions(leastCycle: 0)
        // The coordinates of a repeating spring share one cycle length: the longest.
        if course.cycles != .once { all = motions(leastCycle: all.map(\.cycleDuration).max() ?? 0) }
        (self.motions, self.playback, endTime) = (all, playback, all.map(\.endTime).max() ?? 0)
    }

    /// Wraps a single motion.
    init(_ motion: Motion) {
        (motions, playback, endTime) = ([motion], motion.playback, motion.endTime)
    }

    /// Returns motions that continue from these values to another target, with velocities in units per second of the
    /// timeline and at the same rate. Motions that run backwards then run forwards, and those that are paused run; a delay or a
    /// rate of 0 drops the velocities.
    func retargeted(
        from values: [Double], at velocities: [Double], to target: [Double], course: Motion.Course,
        since instant: Instant
    ) -> CoordinateMotions {
        let rate = playback.rate.magnitude
        let isHandedOver = rate != 0 && Motion.delay(of: course) == 0
        return CoordinateMotions(
            from: values, to: target, course: course, startingAt: instant,
            velocity: isHandedOver ? velocities.map { $0 / rate } : [], rate: rate)
    }

    /// Returns the coordinates at an instant.
    func values(at instant: Instant) -> [Double] { motions.map { $0.value(at: instant) } }

    /// Returns their velocities at an instant, in units per second of the timeline.
    func velocities(at instant: Instant) -> [Double] { motions.map { $0.velocity(at: instant) } }

    /// Returns whether all are complete.
    func isComplete(at instant: Instant) -> Bool { playback.state(at: instant, end: endTime) == .finished }

    /// The instant at which all are complete; nil if they never are.
    var end: Instant? {
        playback.instant(of: playback.rate < 0 ? min(0, playback.offset) : max(endTime, playback.offset))
    }
}
