// The description of an animation, whatever its curve. Running animations, frames and trajectories are made from it.

/// How an animation moves.
enum AnimationStyle: Sendable {
    case eased(Easing, duration: Double)
    case sprung(SpringRelease)
}

/// How a spring is released.
struct SpringRelease: Sendable {
    var spring: Spring
    /// The spring for several cycles.
    var repeated: Spring
    /// Travels per second.
    var velocity: Double
    /// The share of the travel within which it counts as settled.
    var threshold: Double
}

/// An animation as described.
struct AnimationPlan<Value: Sendable>: Sendable {
    var style: AnimationStyle
    var delay: Double
    var endDelay = 0.0
    var cycles = Cycles.once
    var rate = 1.0
    var framesPerSecond = 60.0
    /// The end given first, which is also the value until the other one is given.
    let known: Value
    var start: Value?
    var target: Value?
    /// The keyframes; the last one is the target. Empty for a direct way.
    var waypoints: [Keyframe<Value>] = []
    var observers: [@Sendable (Value) async -> Void] = []
    var conclusions: [@Sendable (Bool) async -> Void] = []

    init(_ style: AnimationStyle, delay: Double, known: Value) {
        (self.style, self.delay, self.known) = (style, delay, known)
    }

    /// Copies the settings of an animation of another type, which has no ends or observers yet.
    init(_ other: AnimationPlan<Unset>, known: Value) {
        self.init(other.style, delay: other.delay, known: known)
        (endDelay, cycles) = (other.endDelay, other.cycles)
        (rate, framesPerSecond, conclusions) = (other.rate, other.framesPerSecond, other.conclusions)
    }

    /// Whether it has keyframes.
    var isAlong: Bool { !waypoints.isEmpty }

    /// Returns the motion of the fraction of the way: from 0 to 1 for any value type.
    func motion(startingAt instant: Instant) -> Motion {
        let velocity = if case .sprung(let release) = style { release.velocity } else { 0.0 }
        var motion = Motion(
            from: 0, to: 1, course: course(travel: 1), startingAt: instant, velocity: velocity)
        motion.begin(at: instant, rate: rate)
        return motion
    }

    /// Returns its course. A spring's threshold is a share of `travel`.
    func course(travel: Double, delay: Double? = nil) -> Motion.Course {
        let delay = delay ?? self.delay
        return switch style {
        case .eased(let easing, let duration):
            .timed(
                Timing(
                    duration: duration, delay: delay, endDelay: endDelay, cycles: cycles,
                    // Each way between keyframes has its own easing.
                    easing: isAlong ? .linear : easing))
        case .sprung(let release):
            .spring(
                cycles == .once ? release.spring : release.repeated, delay: delay, endDelay: endDelay,
                cycles: cycles, threshold: release.threshold * travel)
        }
    }
}

extension AnimationPlan where Value: Interpolatable {
    /// Returns the value at an instant of a motion made by `motion(startingAt:)`.
    func value(of motion: Motion, at instant: Instant) -> Value {
        Path(self).value(at: motion.value(at: instant))
    }
}
