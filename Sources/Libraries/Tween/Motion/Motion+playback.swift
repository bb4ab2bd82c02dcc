// Commands that change how a motion's own time runs. The value stays where it is unless the command is a seek.

extension Motion {
    /// Whether its own time is held.
    public var isPaused: Bool { playback.hold != nil }

    /// Holds the value where it is.
    public mutating func pause(at instant: Instant) {
        playback.pause(at: instant, end: endTime)
    }

    /// Goes on from where it was held; does nothing while it runs.
    public mutating func resume(at instant: Instant) {
        playback.resume(at: instant)
    }

    /// Moves the motion along a timeline that was set anew by `nanoseconds`: it shows at each instant what it would have
    /// shown that much earlier.
    package mutating func shift(byNanoseconds nanoseconds: Int64) {
        playback = Playback(
            start: playback.start.advanced(byNanoseconds: nanoseconds), offset: playback.offset, hold: playback.hold,
            rate: playback.rate)
    }

    /// Goes to `seconds` of own time after its start, delay included.
    public mutating func seek(toSeconds seconds: Double, at instant: Instant) {
        playback.seek(to: seconds, at: instant)
    }

    /// Goes to a share of the movement, 0 to 1; of the first cycle for a motion that never ends.
    public mutating func seek(toFraction fraction: Double, at instant: Instant) {
        let span = activeDuration.isInfinite ? cycleDuration : activeDuration
        playback.seek(to: delay + min(max(fraction, 0), 1) * (span.isFinite ? span : 0), at: instant)
    }

    /// Begins at an instant, at the end that the rate runs from: at its far end below 0. One that never ends has none, and
    /// begins at its start.
    public mutating func begin(at instant: Instant, rate: Double) {
        playback = Playback(start: instant, offset: rate < 0 && endTime.isFinite ? endTime : 0, rate: rate)
    }

    /// Changes the rate; the value stays where it is, its velocity scales.
    public mutating func setRate(_ rate: Double, at instant: Instant) {
        playback.setRate(rate, at: instant, end: endTime)
    }

    /// Runs the other way, from the far end if this one is reached.
    ///
    /// - Throws: `PlaybackError.endlessMotion` when that would start at an end that never comes; nothing is changed.
    public mutating func reverse(at instant: Instant) throws(PlaybackError) {
        try playback.reverse(at: instant, end: endTime)
    }

    /// Goes to the end that it runs towards.
    ///
    /// - Throws: `PlaybackError` for rate 0 and for an end that never comes; nothing is changed.
    public mutating func finish(at instant: Instant) throws(PlaybackError) {
        try playback.finish(at: instant, end: endTime)
    }
}
