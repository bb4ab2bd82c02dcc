// The fluent way to say what moves, how, and who watches. A value: nothing happens before it is run, and it can be run
// again. The mathematics is Motion's; this adds typed ends, observers and a clock.

/// An animation of a value, described step by step; a setting made twice counts as made last.
///
///     Animator(duration: 0.3, delay: 0.1).from(0).to(40).easing(.easeOut).repeating(2, autoreverse: true)
///         .frames { print($0) }
///         .completion { finished in print(finished) }
///         .animate(on: SystemClock())
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
    var start: Value?
    var target: Value?
    var observer: (@Sendable (Value) async -> Void)?
    var conclusion: (@Sendable (Bool) async -> Void)?

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
    /// it started unless `count` ends in .5. Springs run once.
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

    /// Runs so many times as fast.
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
        changed { $0.conclusion = conclude }
    }

    /// The motion of the share of the way: from 0 to 1 whatever the value's type.
    public func motion(startingAt instant: Instant) -> Motion {
        switch style {
        case .eased(let easing):
            let timing = Timing(
                duration: duration, delay: delay, endDelay: endDelay, repeats: repeats, autoreverse: autoreverse,
                easing: easing)
            return Motion(from: 0, to: 1, course: .timed(timing), startingAt: instant, rate: rate)
        case .sprung(let spring, let velocity, let threshold):
            let course = Motion.Course.spring(spring, delay: delay, endDelay: endDelay, threshold: threshold)
            return Motion(from: 0, to: 1, course: course, startingAt: instant, velocity: velocity, rate: rate)
        }
    }

    func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

/// The value type of an animator that has not been told its ends yet.
public enum Unset: Sendable {}

extension Animator where Value == Unset {
    /// An animation of `duration` seconds that starts after `delay` seconds.
    public init(duration: Double, delay: Double = 0) {
        self.duration = duration
        self.delay = delay
    }

    /// The value to start from, which settles what type moves. Observers come after this.
    public func from<End: Interpolatable>(_ start: End) -> Animator<End> {
        var typed = Animator<End>(duration: duration, delay: delay)
        switch style {
        case .eased(let easing): typed.style = .eased(easing)
        case .sprung(let spring, let velocity, let threshold):
            typed.style = .sprung(spring, velocity: velocity, threshold: threshold)
        }
        (typed.endDelay, typed.repeats, typed.autoreverse) = (endDelay, repeats, autoreverse)
        (typed.rate, typed.framesPerSecond, typed.conclusion) = (rate, framesPerSecond, conclusion)
        typed.start = start
        return typed
    }
}

extension Animator where Value: Interpolatable {
    /// The value to start from.
    public func from(_ start: Value) -> Self {
        changed { $0.start = start }
    }

    /// The value to go to; without one it stays where it starts.
    public func to(_ target: Value) -> Self {
        changed { $0.target = target }
    }

    /// Calls `observe` with every frame's value; while it is busy, frames are left out.
    ///
    /// A closure of the main actor is one too: `.frames { @MainActor in label.text = "\($0)" }`.
    public func frames(_ observe: @escaping @Sendable (Value) async -> Void) -> Self {
        changed { $0.observer = observe }
    }
}
