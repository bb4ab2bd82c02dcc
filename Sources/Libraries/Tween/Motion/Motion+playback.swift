// Commands that change how a motion's own time runs. Only a seek changes the current value.

extension Motion {
    /// Whether it is paused.
    public var isPaused: Bool { playback.hold != nil }

    /// Pauses at the current value.
    public mutating func pause(at instant: Instant) {
        playback.pause(at: instant, end: endTime)
    }

    /// Resumes from the pause; does nothing while it runs.
    public mutating func resume(at instant: Instant) {
        playback.resume(at: instant)
    }

    /// Moves the motion along a timeline that was shifted by `nanoseconds`: the value at t becomes what it was at
    /// t - `nanoseconds`.
    package mutating func shift(byNanoseconds nanoseconds: Int64) {
        playback = Playback(
            start: playback.start.advanced(byNanoseconds: nanoseconds), offset: playback.offset, hold: playback.hold,
            rate: playback.rate)
    }

    /// Moves to `seconds` of own time after its start, delay included.
    public mutating func seek(toSeconds seconds: Double, at instant: Instant) {
        playback.seek(to: seconds, at: instant)
    }

    /// Moves to a fraction of the movement, 0 to 1; of the first cycle for an endless motion.
    public mutating func seek(toFraction fraction: Double, at instant: Instant) {
        let span = activeDuration.isInfinite ? cycleDuration : activeDuration
        playback.seek(to: delay + min(max(fraction, 0), 1) * (span.isFinite ? span : 0), at: instant)
    }

    /// Starts at an instant, at the end that the rate runs from: the far end below 0. An endless motion begins at its start.
    public mutating func begin(at instant: Instant, rate: Double) {
        playback = Playback(start: instant, offset: rate < 0 && endTime.isFinite ? endTime : 0, rate: rate)
    }

    /// Changes the rate. The value stays, and its velocity scales.
    public mutating func setRate(_ rate: Double, at instant: Instant) {
        playback.setRate(rate, at: instant, end: endTime)
    }

    /// Reverses the direction, from the far end if this one is reached.
    ///
    /// - Throws: `PlaybackError.endlessMotion` if it would start at an end that never comes; nothing changes then.
    public mutating func reverse(at instant: Instant) throws(PlaybackError) {
        try playback.reverse(at: instant, end: endTime)
    }

    /// Jumps to the end that it runs towards.
    ///
    /// - Throws: `PlaybackError` for rate 0 and for an end that never comes; nothing changes then.
    public mutating func finish(at instant: Instant) throws(PlaybackError) {
        try playback.finish(at: instant, end: endTime)
    }
}
