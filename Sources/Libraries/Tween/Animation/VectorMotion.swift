// A moving vector: one motion per coordinate, so that a new target keeps each coordinate's velocity.

/// The movement of a vector along the timeline; like ``Motion`` for a number.
public struct VectorMotion<Value: InterpolatableVector>: Sendable {
    /// The value at the start.
    public let from: Value
    /// The target.
    public let to: Value
    /// How each coordinate gets there. A spring's threshold is in units of a coordinate.
    public let course: Motion.Course
    private var motions: CoordinateMotions

    /// Creates a motion that starts at an instant.
    ///
    /// - Parameters:
    ///   - velocity: per coordinate, in units per second of own time; missing ones are 0.
    ///   - rate: own seconds per second of the timeline.
    public init(
        from: Value, to: Value, course: Motion.Course, startingAt instant: Instant, velocity: [Double] = [],
        rate: Double = 1
    ) {
        (self.from, self.to, self.course) = (from, to, course)
        motions = CoordinateMotions(
            from: from.coordinates, to: to.coordinates, course: course, startingAt: instant, velocity: velocity,
            rate: rate)
    }

    /// Returns the value at an instant: exactly `to` once all coordinates have arrived.
    public func value(at instant: Instant) -> Value {
        let coordinates = motions.values(at: instant)
        return coordinates == to.coordinates ? to : Value(coordinates: coordinates)
    }

    /// Returns the velocity of each coordinate at an instant, in units per second of the timeline.
    public func velocity(at instant: Instant) -> [Double] { motions.velocities(at: instant) }

    /// Returns the motion that continues from here to another target, keeping the value of each coordinate and, unless the
    /// course has a delay, its velocity. Without a `course` it keeps its own.
    /// It runs forwards at this one's speed, even if this one is paused; from a paused one it starts at rest.
    public func retargeted(to target: Value, course: Motion.Course? = nil, at instant: Instant) -> VectorMotion {
        let course = course ?? self.course
        return VectorMotion(
            from: value(at: instant), to: target, course: course,
            motions.retargeted(
                from: motions.values(at: instant), at: motions.velocities(at: instant), to: target.coordinates,
                course: course, since: instant))
    }

    private init(from: Value, to: Value, course: Motion.Course, _ motions: CoordinateMotions) {
        (self.from, self.to, self.course, self.motions) = (from, to, course, motions)
    }

    /// The playback. Pass ``endTime`` to its commands as the end.
    public var playback: Playback {
        get { motions.playback }
        set { motions.playback = newValue }
    }

    /// Seconds of own time at which the last coordinate is complete; infinite if one never is.
    public var endTime: Double { motions.endTime }

    /// The instant at which all coordinates are complete; nil if they never are.
    public var end: Instant? { motions.end }

    /// Returns whether all coordinates are complete at an instant.
    public func isComplete(at instant: Instant) -> Bool { motions.isComplete(at: instant) }
}
