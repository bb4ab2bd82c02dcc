// A vector on its way: each coordinate by a motion of its own, so that a new target keeps the velocity of each.

/// The movement of a vector along the timeline; what ``Motion`` is for a number.
public struct VectorMotion<Value: InterpolatableVector>: Sendable {
    /// The value at the start.
    public let from: Value
    /// The target.
    public let to: Value
    /// How each coordinate gets there; the threshold of a spring is in units of a coordinate.
    public let course: Motion.Course
    private var motions: CoordinateMotions

    /// A motion that starts at an instant.
    ///
    /// - Parameters:
    ///   - velocity: coordinate by coordinate, in units per second of own time; missing ones are 0.
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

    /// The value at an instant: exactly `to` where all coordinates are there.
    public func value(at instant: Instant) -> Value {
        let coordinates = motions.values(at: instant)
        return coordinates == to.coordinates ? to : Value(coordinates: coordinates)
    }

    /// The velocity of each coordinate at an instant, in units per second of the timeline.
    public func velocity(at instant: Instant) -> [Double] { motions.velocities(at: instant) }

    /// The motion that goes on from here to another target, with the value and the velocity of each coordinate; as
    /// ``Motion/retargeted(to:course:at:overshoot:rate:)`` does it. Without a `course` it goes the way it came.
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

    /// How own time runs. Its commands take ``endTime`` for their end.
    public var playback: Playback {
        get { motions.playback }
        set { motions.playback = newValue }
    }

    /// Seconds of own time at which the last coordinate is complete; infinite when one never is.
    public var endTime: Double { motions.endTime }

    /// The instant at which all coordinates are complete; nil when that never comes.
    public var end: Instant? { motions.end }

    /// Whether all coordinates are complete at an instant.
    public func isComplete(at instant: Instant) -> Bool { motions.isComplete(at: instant) }
}
