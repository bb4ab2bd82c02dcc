// When a reader gets its next frame: at the rate it asked for, at fewer frames a second while it lags, more again when it
// keeps up.

import Base

/// A reader's rate, stepped down and up. Conflation alone would give it the newest frame each time it has taken the last,
/// at whatever odd moments that is; a rate that it keeps up with is smoother, and leaves it time for the rest.
struct ReaderPace: Sendable {
    /// Nanoseconds between two looks at a reader that lags.
    static let review: Int64 = 1_000_000_000
    /// Looks at which it must have kept up before it is stepped up again.
    private static let patience: UInt8 = 3

    /// Nanoseconds between frames: what the client asked for, or more while it lags; 0 is every tick.
    private var interval: Int64
    private var askedInterval: Int64
    private(set) var nextFrame: Int64 = 0
    /// 0: what it asked for; then half of that, ten, one.
    private var level: UInt8 = 0
    private var calmReviews: UInt8 = 0
    var isLagging = false
    private var leftOut: UInt64 = 0

    /// - Parameter interval: Nanoseconds between frames, as the client asked; 0 is every tick.
    init(interval: Int64 = 0) {
        self.interval = interval
        askedInterval = interval
    }

    /// The client asks for another rate; what it lagged at the old one says nothing of this.
    mutating func ask(_ interval: Int64) {
        guard interval != askedInterval else { return }
        (self.interval, askedInterval, nextFrame) = (interval, interval, 0)
        (level, calmReviews) = (0, 0)
    }

    /// Whether a frame may go out.
    func isDue(_ now: Int64) -> Bool { interval == 0 || now >= nextFrame }

    /// All frames that there were have gone out.
    mutating func recordFrames(at now: Int64) {
        guard interval > 0 else { return }
        // On its own timetable, so that a rate is kept on average; a stream that fell behind begins anew.
        let next = nextFrame + interval
        nextFrame = next > now ? next : now + interval
    }

    /// Whether its frames come at the rate that it asked for.
    var isAsAsked: Bool { level == 0 }

    /// Whether it is sent the frames of every tick, and takes them.
    var takesEveryTick: Bool { interval == 0 && !isLagging }

    /// Whether there is anything to look at.
    var isSettled: Bool { level == 0 && !isLagging }

    /// Looks at what was left out since the last look.
    /// - Parameter fullRate: Frames a second of one that asked for every tick's, and the most of any.
    /// - Returns: Frames a second, where they changed.
    mutating func review(leftOut total: UInt64, fullRate: Double) -> Double? {
        guard step(leftOut: total) else { return nil }
        let rate = rate(asked: askedInterval > 0 ? min(fullRate, 1e9 / Double(askedInterval)) : fullRate)
        interval = level == 0 ? askedInterval : Int64(saturating: 1e9 / rate)
        return rate
    }

    private mutating func step(leftOut total: UInt64) -> Bool {
        let isBehind = isLagging && total > leftOut
        leftOut = total
        calmReviews = isBehind ? 0 : min(calmReviews + 1, Self.patience)
        if isBehind, level < 3 {
            level += 1
            return true
        }
        guard calmReviews >= Self.patience, level > 0, !isLagging else { return false }
        calmReviews = 0
        level -= 1
        return true
    }

    private func rate(asked: Double) -> Double {
        switch level {
        case 0: asked
        case 1: asked / 2
        case 2: min(asked / 2, 10)
        default: min(asked / 2, 1)
        }
    }
}
