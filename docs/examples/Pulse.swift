// A number that goes up and down three times, described in one line and shown by a closure.

public import Tween

/// Pulses from 0 to 40 and back, three times in 1.9 seconds; what it gives stops it, holds it or sends it back.
@discardableResult
public func pulse(
    on clock: any FrameClock = SystemClock(), show: @escaping @Sendable (Int) -> Void,
    done: @escaping @Sendable (Bool) -> Void
) -> RunningAnimation<Int> {
    Animator(duration: 0.3, delay: 0.1).from(0).to(40).easing(.easeOut).repeating(2, autoreverse: true)
        .onFrame { value in show(value) }
        .completion { finished in done(finished) }
        .animate(on: clock)
}
