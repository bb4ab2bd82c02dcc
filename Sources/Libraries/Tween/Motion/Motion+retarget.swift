// Retargeting: value and velocity continue without a break from any motion into any other.

extension Motion {
    /// Returns the motion that continues from here to another target. It runs even if this one is paused; from a paused one it starts
    /// at rest.
    ///
    /// It starts from the current value, unrounded, with the current velocity. An easing takes over the velocity in its
    /// first cycle: rising targets give a rising value, and a target in the other direction is overshot by at most 4/27 of
    /// velocity × duration. Three courses don't take it over: with a delay the value stops and waits, with no duration it
    /// arrives at once, and `steps()` jumps. An easing with a vertical start runs its first cycle as linear, since no
    /// velocity leads into it. A power over 2 runs it as a square, since steady updates would hold it at its flat start
    /// forever.
    ///
    /// - Parameter rate: That of the new motion, over 0.
    public func retargeted(
        to target: Double, course: Course, along keyframes: Keyframes? = nil, at instant: Instant, overshoot: Overshoot,
        rate: Double = 1
    ) -> Motion {
        let velocity = Self.delay(of: course) != 0 || rate == 0 ? 0 : velocity(at: instant) / rate
        return Motion(
            from: value(at: instant), to: target, course: course, along: keyframes, handover: velocity,
            overshoot: overshoot, playback: Playback(start: instant, rate: rate))
    }
}
