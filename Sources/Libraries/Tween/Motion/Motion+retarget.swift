// A new target in mid-flight: value and velocity go on without a break, whatever was running and whatever follows.

extension Motion {
    /// The motion that goes on from here to another target.
    ///
    /// It starts from the value shown, unrounded, with the velocity shown. An easing takes the velocity over in its
    /// first cycle: rising targets give a rising value, and one that lies the other way is overshot by at most
    /// 4/27 of velocity × duration. Three courses take no velocity over: with a delay the value stops and waits, with
    /// no duration it is there at once, and `steps()` jump. An easing that starts upright runs its first cycle linear,
    /// for there is no way into it from another velocity, and a power over 2 runs it as a square, for steady updates
    /// would hold it at its flat start for ever.
    public func retargeted(
        to target: Double, course: Course, along keyframes: Keyframes? = nil, at instant: Instant, overshoot: Overshoot,
        rate: Double = 1
    ) -> Motion {
        let velocity = course.delay != 0 || rate == 0 ? 0 : velocity(at: instant) / rate
        return Motion(
            from: value(at: instant), to: target, course: course, along: keyframes, handover: velocity,
            overshoot: overshoot, playback: Playback(start: instant, rate: rate))
    }
}
