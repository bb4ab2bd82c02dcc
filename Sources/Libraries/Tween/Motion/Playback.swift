// Maps timeline instants to own time: the playback half of the Web Animations timing model. Commands that change it take
// their instant. It reads no clock, and gets the end time as an argument.

/// How own time runs along the timeline: its position and rate, or a pause.
public struct Playback: Hashable, Sendable {
    /// Web Animations' play states, without idle, which is having no playback.
    public enum State: String, Hashable, Sendable {
        /// Own time passes, or stands still at rate 0.
        case running
        /// Own time is held.
        case paused
        /// Own time has reached the end that it runs towards.
        case finished
    }

    /// The timeline instant at which own time is `offset`.
    public let start: Instant
    /// Own seconds at `start`. Separate from `start`, so that rate changes and seeks lose no precision.
    public let offset: Double
    /// Own seconds while paused; nil while running.
    public let hold: Double?
    /// Own seconds per second of the timeline; negative runs backwards.
    public let rate: Double

    /// Creates a playback. Numbers that are not finite count as their defaults.
    public init(start: Instant, offset: Double = 0, hold: Double? = nil, rate: Double = 1) {
        self.start = start
        self.offset = offset.isFinite ? offset : 0
        self.hold = hold.map { $0.isFinite ? $0 : 0 }
        self.rate = rate.isFinite ? rate : 1
    }

    /// The instant at which own time is 0 at the current rate, which is Web Animations' start time: while it runs, own time
    /// is `rate` times the seconds since then. Meaningless while paused; at rate 0, it is `start`.
    public var startTime: Instant { rate == 0 ? start : start.advanced(bySeconds: -offset / rate) }

    /// Returns own seconds at an instant, ignoring any end.
    @inline(__always)
    func time(at instant: Instant) -> Double {
        hold ?? offset + instant.seconds(since: start) * rate
    }

    /// Returns own seconds at an instant. Running stops at 0 and at `end`; a seek beyond them keeps its position.
    public func currentTime(at instant: Instant, end: Double) -> Double {
        if let hold { return hold }
        let time = time(at: instant)
        if rate > 0 { return min(time, max(end, offset)) }
        return rate < 0 ? max(time, min(0, offset)) : offset
    }

    /// Returns whether it is running, paused, or past the end that it runs towards.
    public func state(at instant: Instant, end: Double) -> State {
        if hold != nil { return .paused }
        let time = currentTime(at: instant, end: end)
        return rate > 0 && time >= end || rate < 0 && time <= 0 ? .finished : .running
    }

    /// Returns the first instant at which own time has reached `time`, if it runs towards it or comes from there.
    ///
    /// Compares like `time(at:)`, so that what is complete at this instant is complete in every later frame.
    func instant(of time: Double) -> Instant? {
        guard hold == nil, rate != 0, time.isFinite else { return nil }
        var instant = start.advanced(bySeconds: (time - offset) / rate)
        // Rounding to nanoseconds can give an earlier instant; after years, doubles of seconds are coarser than nanoseconds.
        var step: Int64 = 1
        while !hasReached(time, at: instant), step < 1 << 20 {
            let (later, overflow) = instant.nanoseconds.addingReportingOverflow(step)
            if overflow { break }
            instant.nanoseconds = later
            step *= 2
        }
        return instant
    }

    private func hasReached(_ time: Double, at instant: Instant) -> Bool {
        rate > 0 ? self.time(at: instant) >= time : self.time(at: instant) <= time
    }

    /// Runs, from the other end if this one is reached.
    ///
    /// - Throws: `PlaybackError.endlessMotion` if it runs backwards from an end that never comes.
    public mutating func play(at instant: Instant, end: Double) throws(PlaybackError) {
        var time = currentTime(at: instant, end: end)
        if rate > 0, time < 0 || time >= end {
            time = 0
        } else if rate < 0, time <= 0 || time > end {
            guard end.isFinite else { throw .endlessMotion }
            time = end
        }
        self = Playback(start: instant, offset: time, rate: rate)
    }

    /// Holds the current own time.
    public mutating func pause(at instant: Instant, end: Double) {
        guard hold == nil else { return }
        self = Playback(start: instant, offset: offset, hold: currentTime(at: instant, end: end), rate: rate)
    }

    /// Resumes from the pause; does nothing while it runs.
    public mutating func resume(at instant: Instant) {
        guard let hold else { return }
        self = Playback(start: instant, offset: hold, rate: rate)
    }

    /// Moves to an own time, even beyond the ends. A paused playback stays paused.
    public mutating func seek(to time: Double, at instant: Instant) {
        guard time.isFinite else { return }
        self = Playback(start: instant, offset: time, hold: hold == nil ? nil : time, rate: rate)
    }

    /// Changes the rate and keeps the own time.
    public mutating func setRate(_ rate: Double, at instant: Instant, end: Double) {
        guard rate.isFinite else { return }
        self = Playback(start: instant, offset: currentTime(at: instant, end: end), hold: hold, rate: rate)
    }

    /// Reverses the direction, from the far end if this one is reached.
    ///
    /// - Throws: `PlaybackError.endlessMotion` if it would start at an end that never comes; nothing changes then.
    public mutating func reverse(at instant: Instant, end: Double) throws(PlaybackError) {
        var reversed = self
        reversed.setRate(-rate, at: instant, end: end)
        try reversed.play(at: instant, end: end)
        self = reversed
    }

    /// Jumps to the end that it runs towards.
    ///
    /// - Throws: `PlaybackError` for rate 0 and for an end that never comes; nothing changes then.
    public mutating func finish(at instant: Instant, end: Double) throws(PlaybackError) {
        guard rate != 0 else { throw .zeroRate }
        guard rate < 0 || end.isFinite else { throw .endlessMotion }
        self = Playback(start: instant, offset: rate > 0 ? end : 0, rate: rate)
    }
}
