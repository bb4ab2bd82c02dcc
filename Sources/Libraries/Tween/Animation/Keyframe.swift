// Values that an animator goes to one after another.

/// A value on the way of an ``Animator``, when it is there, and how it goes there.
public struct Keyframe<Value: Sendable>: Sendable {
    /// Where it is then.
    public let value: Value
    /// The share of a cycle's time, 0 to 1; nil lies evenly between its neighbours.
    public let offset: Double?
    /// How it goes there from the keyframe before; nil: by the animator's easing.
    public let easing: Easing?

    /// A keyframe.
    public init(_ value: Value, at offset: Double? = nil, easing: Easing? = nil) {
        (self.value, self.offset, self.easing) = (value, offset, easing)
    }
}

extension Keyframe: Equatable where Value: Equatable {}
extension Keyframe: Hashable where Value: Hashable {}

extension CurveAnimator where Value: Interpolatable, Curve == Easing {
    /// Goes from the start to one value after another; the last is the end, and an empty list leaves the end as it is.
    ///
    ///     Animator(duration: 1).from(0).keyframes([Keyframe(10), Keyframe(2.5, at: 0.5, easing: .easeOut), Keyframe(4)])
    ///
    /// - Parameter keyframes: in the order of their offsets. One whose offset would go back counts as being at the offset
    ///   before it, as stops of CSS's `linear()` do; the last is at 1. The animator's easing is that of each way without
    ///   one of its own, not of the whole.
    public func keyframes(_ keyframes: [Keyframe<Value>]) -> Self {
        changed { plan in
            guard let last = keyframes.last else { return }
            plan.waypoints = keyframes
            plan.target = last.value
        }
    }
}

/// Where a value is at which share of an animation's time.
struct Path<Value: Interpolatable>: Sendable {
    /// From one value to the next.
    struct Leg: Sendable {
        let start: Value
        let end: Value
        /// Shares of the time at which it begins and ends.
        let begin: Double
        let finish: Double
        /// nil: as straight as the share itself goes.
        let easing: Easing?
    }

    /// In the order of their times; one at least.
    private let legs: [Leg]

    /// The way of an animation: straight to its end, or along its keyframes.
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

    /// The value at a share of the time.
    func value(at share: Double) -> Value {
        let (leg, progress, _) = place(at: share)
        return .interpolated(from: leg.start, to: leg.end, at: progress)
    }

    /// The leg under way, how far along it is, and how fast that grows with the share.
    private func place(at share: Double) -> (leg: Leg, progress: Double, slope: Double) {
        // It is at its start until it sets out, though a keyframe may lie there, too.
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
    /// The coordinates at a share of the time, not rounded to a value, and how fast they grow with the share.
    func coordinates(at share: Double) -> (values: [Double], slopes: [Double]) {
        let (leg, progress, slope) = place(at: share)
        let (first, last) = (leg.start.coordinates, leg.end.coordinates)
        return (
            [Double].interpolated(from: first, to: last, at: progress),
            last.indices.map { $0 < first.count ? (last[$0] - first[$0]) * slope : 0 }
        )
    }
}
