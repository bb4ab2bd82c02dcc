// Keyframes: the values that an animator passes one after another.

/// A value on the way of an ``Animator``, with its time and the easing towards it.
public struct Keyframe<Value: Sendable>: Sendable {
    /// The value at that time.
    public let value: Value
    /// The fraction of a cycle's time, 0 to 1; nil is spaced evenly between its neighbours.
    public let offset: Double?
    /// The easing from the previous keyframe; nil uses the animator's.
    public let easing: Easing?

    /// Creates a keyframe.
    public init(_ value: Value, at offset: Double? = nil, easing: Easing? = nil) {
        (self.value, self.offset, self.easing) = (value, offset, easing)
    }
}

extension Keyframe: Equatable where Value: Equatable {}
extension Keyframe: Hashable where Value: Hashable {}

extension CurveAnimator where Value: Interpolatable, Curve == Easing {
    /// Moves from the start through one value after another. The last one is the end; an empty list doesn't change the end.
    ///
    ///     Animator(duration: 1).from(0).keyframes([Keyframe(10), Keyframe(2.5, at: 0.5, easing: .easeOut), Keyframe(4)])
    ///
    /// - Parameter keyframes: in the order of their offsets. An offset smaller than the one before counts as equal to it,
    ///   like stops of CSS's `linear()`; the last one is at 1. The animator's easing applies to each keyframe without its
    ///   own, not to the whole.
    public func keyframes(_ keyframes: [Keyframe<Value>]) -> Self {
        changed { plan in
            guard let last = keyframes.last else { return }
            plan.waypoints = keyframes
            plan.target = last.value
        }
    }
}

/// Where a value is at a fraction of an animation's time.
struct Path<Value: Interpolatable>: Sendable {
    /// The way from one value to the next.
    struct Leg: Sendable {
        let start: Value
        let end: Value
        /// The fractions of the time at which it begins and ends.
        let begin: Double
        let finish: Double
        /// Nil for straight interpolation.
        let easing: Easing?
    }

    /// In order of time; at least one.
    private let legs: [Leg]

    /// Creates the way of an animation: straight to its end, or through its keyframes.
    init(_ plan: AnimationPlan<Value>) {
        let start = plan.start ?? plan.target ?? plan.known
        guard plan.isAlong, case .eased(let usual, _) = plan.style else {
            legs = [Leg(start: start, end: plan.target ?? start, begin: 0, finish: 1, easing: nil)]
            return
        }
        let offsets = plan.waypoints.dropLast().map { $0.offset.map { min(max($0, 0), 1) } }
        let places = ([0] + offsets + [1]).spacedEvenly()
        legs = plan.waypoints.indices.map { index in
            let waypoint = plan.waypoints[index]
            return Leg(
                start: index == 0 ? start : plan.waypoints[index - 1].value, end: waypoint.value,
                begin: places[index], finish: places[index + 1], easing: waypoint.easing ?? usual)
        }
    }

    /// Returns the value at a fraction of the time.
    func value(at share: Double) -> Value {
        let (leg, progress, _) = place(at: share)
        return .interpolated(from: leg.start, to: leg.end, at: progress)
    }

    /// Returns the current leg, the progress in it, and the progress' derivative.
    private func place(at share: Double) -> (leg: Leg, progress: Double, slope: Double) {
        // At 0 it is at its start, even if a keyframe is there too.
        let leg = legs.first { $0.finish > share || share <= 0 } ?? legs[legs.count - 1]
        guard let easing = leg.easing else { return (leg, share, 1) }
        if share <= 0, leg.finish == leg.begin { return (leg, 0, 0) }
        let length = leg.finish - leg.begin
        guard share < leg.finish, length > 0 else { return (leg, 1, 0) }
        let own = max(0, (share - leg.begin) / length)
        return (leg, easing.value(at: own), easing.slope(at: own) / length)
    }
}

extension Path where Value: InterpolatableVector {
    /// Returns the coordinates at a fraction of the time, without rounding to a value, and their derivatives.
    func coordinates(at share: Double) -> (values: [Double], slopes: [Double]) {
        let (leg, progress, slope) = place(at: share)
        let (first, last) = (leg.start.coordinates, leg.end.coordinates)
        return (
            [Double].interpolated(from: first, to: last, at: progress),
            last.indices.map { $0 < first.count ? (last[$0] - first[$0]) * slope : 0 }
        )
    }
}
