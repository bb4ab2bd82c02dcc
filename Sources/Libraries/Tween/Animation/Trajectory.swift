// An animation's value at each instant of a run: from one motion of a fraction, 0 to 1, of the way, or, after retargeting, from
// one motion per coordinate.

/// The course of a value.
struct Trajectory<Value: Interpolatable>: Sendable {
    private enum Ends: Sendable {
        /// The only coordinate is the fraction of the way.
        case share(Path<Value>)
        /// The coordinates are the value's own; the closure makes the value from them.
        case coordinates(@Sendable ([Double]) -> Value)
    }

    private let ends: Ends
    /// The underlying motions.
    var motions: CoordinateMotions

    /// Creates the course of an animation whose own time starts at an instant.
    init(_ plan: AnimationPlan<Value>, startingAt instant: Instant) {
        ends = .share(Path(plan))
        motions = CoordinateMotions(plan.motion(startingAt: instant))
    }

    /// Returns the value at an instant.
    func value(at instant: Instant) -> Value {
        let coordinates = motions.values(at: instant)
        return switch ends {
        case .share(let path): path.value(at: coordinates.first ?? 0)
        case .coordinates(let make): make(coordinates)
        }
    }
}

extension Trajectory where Value: InterpolatableVector {
    /// Returns the course that continues from here to another target, keeping each coordinate's velocity; 0 while it is paused.
    func retargeted(to target: Value, as plan: AnimationPlan<Value>, at instant: Instant) -> Trajectory {
        let (values, velocities) = coordinates(at: instant)
        let goal = target.coordinates
        let distance = zip(values, goal).map { $1 - $0 }
        var direct = plan
        direct.waypoints = []
        let course = direct.course(travel: plan.travel(distance, velocities), delay: 0)
        return Trajectory(
            ends: .coordinates { $0 == goal ? target : Value(coordinates: $0) },
            motions: motions.retargeted(from: values, at: velocities, to: goal, course: course, since: instant))
    }

    private init(ends: Ends, motions: CoordinateMotions) {
        (self.ends, self.motions) = (ends, motions)
    }

    /// Returns the coordinates, without rounding to a value, and their velocities.
    private func coordinates(at instant: Instant) -> (values: [Double], velocities: [Double]) {
        let (values, velocities) = (motions.values(at: instant), motions.velocities(at: instant))
        guard case .share(let path) = ends, let share = values.first, let velocity = velocities.first else {
            return (values, velocities)
        }
        let place = path.coordinates(at: share)
        return (place.values, place.slopes.map { $0 * velocity })
    }
}

extension AnimationPlan {
    /// Returns the distance that scales a spring's relative threshold: what is left, or as far as the velocity carries it; 0 for
    /// easings.
    fileprivate func travel(_ distance: [Double], _ velocity: [Double]) -> Double {
        let length = { (vector: [Double]) in vector.reduce(0) { hypotenuse($0, $1) } }
        guard case .sprung(let release) = style else { return 0 }
        return max(length(distance), length(velocity) / release.spring.angularFrequency)
    }
}
