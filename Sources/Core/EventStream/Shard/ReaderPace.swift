// When a reader receives its next frame: at the requested rate, at a lower rate while it lags, and faster again when it
// keeps up.

import Base

/// A reader's rate, stepped down and up. Conflation alone would send the newest frame at irregular moments, whenever the
/// reader has taken the last. A rate that it keeps up with is smoother, and leaves it time for other work.
struct ReaderPace: Sendable {
    /// Nanoseconds between two checks of a reader that lags.
    static let review: Int64 = 1_000_000_000
    /// The number of checks at which it must have kept up before its rate rises.
    private static let calmReviewsNeeded: UInt8 = 3

    /// Nanoseconds between frames: as the client requested, or more while it lags; 0 is every tick.
    private var interval: Int64
    private var askedInterval: Int64
    private(set) var nextFrame: Int64 = 0
    /// 0: the requested rate; then half of it, 10 and 1 frames a second.
    private var level: UInt8 = 0
    private var calmReviews: UInt8 = 0
    var isLagging = false
    private var leftOut: UInt64 = 0

    /// - Parameter interval: Nanoseconds between frames, as the client requested; 0 is every tick.
    init(interval: Int64 = 0) {
        self.interval = interval
        askedInterval = interval
    }

    /// Sets a newly requested rate; lag at the old one says nothing about it.
    mutating func ask(_ interval: Int64) {
        guard interval != askedInterval else { return }
        (self.interval, askedInterval, nextFrame) = (interval, interval, 0)
        (level, calmReviews) = (0, 0)
    }

    /// Whether a frame may be sent.
    func isDue(_ now: Int64) -> Bool { interval == 0 || now >= nextFrame }

    /// Records that all current frames were sent.
    mutating func recordFrames(at now: Int64) {
        guard interval > 0 else { return }
        // Frames keep to a fixed grid, so that the rate holds on average; a stream that fell behind starts a new grid.
        let next = nextFrame + interval
        nextFrame = next > now ? next : now + interval
    }

    /// Whether it receives frames at the requested rate.
    var isAsAsked: Bool { level == 0 }

    /// Whether it receives the frames of every tick, and keeps up.
    var takesEveryTick: Bool { interval == 0 && !isLagging }

    /// Whether it needs no checks.
    var isSettled: Bool { level == 0 && !isLagging }

    /// Checks the frames that were dropped since the last check.
    /// - Parameter fullRate: The maximum rate, and that of a client that requested every tick, in frames a second.
    /// - Returns: The new rate in frames a second; nil if it did not change.
    mutating func review(leftOut total: UInt64, fullRate: Double) -> Double? {
        guard step(leftOut: total) else { return nil }
        let rate = rate(asked: askedInterval > 0 ? min(fullRate, 1e9 / Double(askedInterval)) : fullRate)
        interval = level == 0 ? askedInterval : Int64(saturating: 1e9 / rate)
        return rate
    }

    private mutating func step(leftOut total: UInt64) -> Bool {
        let isBehind = isLagging && total > leftOut
        leftOut = total
        calmReviews = isBehind ? 0 : min(calmReviews + 1, Self.calmReviewsNeeded)
        if isBehind, level < 3 {
            level += 1
            return true
        }
        guard calmReviews >= Self.calmReviewsNeeded, level > 0, !isLagging else { return false }
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
