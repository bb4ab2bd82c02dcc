// Which own time it is at a moment of the timeline: the playback half of the Web Animations timing model.
// A value that is changed by commands with their instant; it reads no clock and knows only the end time it is told.

/// How own time runs along the timeline: from where, how fast, or held.
public struct Playback: Hashable, Sendable {
    /// Web Animations' play states but idle, which is having no playback.
    public enum State: String, Hashable, Sendable {
        /// Own time passes, or stands at rate 0.
        case running
        /// Own time is held.
        case paused
        /// Own time has reached the end that it runs towards.
        case finished
    }

    /// The timeline instant at which own time is `offset`.
    public let start: Instant
    /// Own seconds at `start`. Apart from `start`, so that changes of rate and seeks lose no precision.
    public let offset: Double
    /// Own seconds while paused; nil while running.
    public let hold: Double?
    /// Own seconds per second of the timeline; negative runs backwards.
    public let rate: Double

    /// A playback. Numbers that are not finite count as their defaults.
    public init(start: Instant, offset: Double = 0, hold: Double? = nil, rate: Double = 1) {
        self.start = start
        self.offset = offset.isFinite ? offset : 0
        self.hold = hold.map { $0.isFinite ? $0 : 0 }
        self.rate = rate.isFinite ? rate : 1
    }

    /// The instant at which own time is 0 at the present rate, which is Web Animations' start time: while it runs, own time
    /// is `rate` times the seconds since then. Held, it tells nothing; at rate 0 there is none, and it is `start`.
    public var startTime: Instant { rate == 0 ? start : start.advanced(bySeconds: -offset / rate) }

    /// Own seconds at an instant, without regard to any end.
    @inline(__always)
    func time(at instant: Instant) -> Double {
        hold ?? offset + instant.seconds(since: start) * rate
    }

    /// Own seconds at an instant. Running stops at 0 and at `end`; a seek past them stays where it went.
    public func currentTime(at instant: Instant, end: Double) -> Double {
        if let hold { return hold }
        let time = time(at: instant)
        if rate > 0 { return min(time, max(end, offset)) }
        return rate < 0 ? max(time, min(0, offset)) : offset
    }

    /// Running, paused, or past the end that it runs towards.
    public func state(at instant: Instant, end: Double) -> State {
        if hold != nil { return .paused }
        let time = currentTime(at: instant, end: end)
        return rate > 0 && time >= end || rate < 0 && time <= 0 ? .finished : .running
    }

    /// The first instant at which own time has reached `time`, if it runs that way or has come from there.
    ///
    /// Told apart as `time(at:)` tells it, so that what is complete by this instant is complete in every frame from it.
    func instant(of time: Double) -> Instant? {
        guard hold == nil, rate != 0, time.isFinite else { return nil }
        var instant = start.advanced(bySeconds: (time - offset) / rate)
        // A nearest nanosecond can lie before; past years, doubles of seconds are coarser than nanoseconds.
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
    /// - Throws: `PlaybackError.endlessMotion` when it runs backwards from an end that never comes.
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

    /// Holds own time where it is.
    public mutating func pause(at instant: Instant, end: Double) {
        guard hold == nil else { return }
        self = Playback(start: instant, offset: offset, hold: currentTime(at: instant, end: end), rate: rate)
    }

    /// Goes on from where it was held; does nothing while it runs.
    public mutating func resume(at instant: Instant) {
        guard let hold else { return }
        self = Playback(start: instant, offset: hold, rate: rate)
    }

    /// Goes to an own time, running or held as before; past the ends too.
    public mutating func seek(to time: Double, at instant: Instant) {
        guard time.isFinite else { return }
        self = Playback(start: instant, offset: time, hold: hold == nil ? nil : time, rate: rate)
    }

    /// Changes the rate and keeps the own time.
    public mutating func setRate(_ rate: Double, at instant: Instant, end: Double) {
        guard rate.isFinite else { return }
        self = Playback(start: instant, offset: currentTime(at: instant, end: end), hold: hold, rate: rate)
    }

    /// Runs the other way, from the far end if this one is reached.
    ///
    /// - Throws: `PlaybackError.endlessMotion` when that would start at an end that never comes; nothing is changed.
    public mutating func reverse(at instant: Instant, end: Double) throws(PlaybackError) {
        var reversed = self
        reversed.setRate(-rate, at: instant, end: end)
        try reversed.play(at: instant, end: end)
        self = reversed
    }

    /// Goes to the end that it runs towards.
    ///
    /// - Throws: `PlaybackError` for rate 0 and for an end that never comes; nothing is changed.
    public mutating func finish(at instant: Instant, end: Double) throws(PlaybackError) {
        guard rate != 0 else { throw .zeroRate }
        guard rate < 0 || end.isFinite else { throw .endlessMotion }
        self = Playback(start: instant, offset: rate > 0 ? end : 0, rate: rate)
    }
}
