// The fluent way to say what moves, how, and who watches. A value: nothing happens before it is run, and it can be run
// again. The mathematics is Motion's; this adds typed ends, observers and a clock.

/// An animation of a value, described step by step; a setting made twice counts as made last, observers add up.
///
///     Animator(duration: 0.3, delay: 0.1).from(0).to(40).easing(.easeOut).repeating(2, autoreverse: true)
///         .onFrame { print($0) }
///         .completion { finished in print(finished) }
///         .animate()
public struct Animator<Value: Sendable>: Sendable {
    /// How it moves.
    enum Style: Sendable {
        case eased(Easing)
        /// The velocity is in travels per second.
        case sprung(Spring, velocity: Double, threshold: Double)
    }

    var style = Style.eased(.linear)
    var duration: Double
    var delay: Double
    var endDelay = 0.0
    var repeats = 0.0
    var autoreverse = false
    var rate = 1.0
    var framesPerSecond = 60.0
    /// The end that was said first: where it is until the other is said, too.
    let known: Value
    var start: Value?
    var target: Value?
    var observers: [@Sendable (Value) async -> Void] = []
    var conclusions: [@Sendable (Bool) async -> Void] = []

    init(duration: Double, delay: Double, known: Value) {
        (self.duration, self.delay, self.known) = (duration, delay, known)
    }

    /// Moves along an easing; `linear` unless it is set.
    public func easing(_ easing: Easing) -> Self {
        changed { $0.style = .eased(easing) }
    }

    /// Moves by a spring in place of an easing; the duration then has no meaning.
    ///
    /// - Parameters:
    ///   - spring: the spring that pulls.
    ///   - initialVelocity: travels per second: 1 is the whole distance in one second.
    ///   - threshold: the share of the travel within which it counts as settled.
    public func spring(_ spring: Spring, initialVelocity: Double = 0, threshold: Double = 0.001) -> Self {
        changed { $0.style = .sprung(spring, velocity: initialVelocity, threshold: threshold) }
    }

    /// Runs `count` further cycles, infinity for ever. With `autoreverse` a cycle is there and back, and it ends where
    /// it started unless `count` ends in .5. A spring's cycle takes the time in which it settles.
    public func repeating(_ count: Double, autoreverse: Bool = false) -> Self {
        changed { ($0.repeats, $0.autoreverse) = (count, autoreverse) }
    }

    /// Waits so many seconds before it moves.
    public func delay(_ seconds: Double) -> Self {
        changed { $0.delay = seconds }
    }

    /// Waits so many seconds after the last movement before it is complete.
    public func endDelay(_ seconds: Double) -> Self {
        changed { $0.endDelay = seconds }
    }

    /// Runs so many times as fast: backwards from the end below 0, and at 0 it stands until somebody changes that.
    public func rate(_ rate: Double) -> Self {
        changed { $0.rate = rate }
    }

    /// At most so many frames a second, 60 unless set; 1 to 1000.
    public func framesPerSecond(_ count: Double) -> Self {
        changed { $0.framesPerSecond = count >= 1 ? min(count, 1000) : 1 }
    }

    /// Calls `conclude` once a run, after the last frame: true when it got to its end, false when it was cancelled.
    ///
    /// Not for a run as a sequence, ``frames(on:)``, whose loop ends then.
    public func completion(_ conclude: @escaping @Sendable (Bool) async -> Void) -> Self {
        changed { $0.conclusions.append(conclude) }
    }

    /// The motion of the share of the way: from 0 to 1 whatever the value's type.
    public func motion(startingAt instant: Instant) -> Motion {
        var motion = Motion(
            from: 0, to: 1, course: course(threshold: 1), startingAt: instant, velocity: initialVelocity, rate: rate)
        // A motion that runs backwards starts at its end; one without an end has nowhere to start.
        if rate < 0, motion.endTime.isFinite { motion.seek(toSeconds: motion.endTime, at: instant) }
        return motion
    }

    /// How it gets there, where `travel` is the distance that a spring's threshold is a share of.
    func course(threshold travel: Double, delay: Double? = nil) -> Motion.Course {
        let delay = delay ?? self.delay
        return switch style {
        case .eased(let easing):
            .timed(
                Timing(
                    duration: duration, delay: delay, endDelay: endDelay, repeats: repeats, autoreverse: autoreverse,
                    easing: easing))
        case .sprung(let spring, _, let threshold):
            .spring(
                spring, delay: delay, endDelay: endDelay, cycles: Cycles(repeats: repeats, autoreverse: autoreverse),
                threshold: threshold * travel)
        }
    }

    private var initialVelocity: Double {
        if case .sprung(_, let velocity, _) = style { velocity } else { 0 }
    }

    func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}
