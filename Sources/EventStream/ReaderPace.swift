// How many frames a second a reader can take: fewer while it lags, more again when it keeps up.

/// A reader's rate, stepped down and up. Conflation alone would give it the newest frame each time it has taken the last,
/// at whatever odd moments that is; a rate that it keeps up with is smoother, and leaves it time for the rest.
struct ReaderPace: Sendable {
    /// Nanoseconds between two looks at a reader that lags.
    static let review: Int64 = 1_000_000_000
    /// Looks at which it must have kept up before it is stepped up again.
    private static let patience = 3

    /// 0: what it asked for; then half of that, ten, one.
    private(set) var level = 0
    var isLagging = false
    private var leftOut: UInt64 = 0
    private var calmReviews = 0

    /// Whether there is anything to look at.
    var isSettled: Bool { level == 0 && !isLagging }

    /// Looks at what was left out since the last look.
    /// - Returns: Whether the rate changed.
    mutating func review(leftOut total: UInt64) -> Bool {
        let isBehind = isLagging && total > leftOut
        leftOut = total
        calmReviews = isBehind ? 0 : calmReviews + 1
        if isBehind, level < 3 {
            level += 1
            return true
        }
        guard calmReviews >= Self.patience, level > 0, !isLagging else { return false }
        calmReviews = 0
        level -= 1
        return true
    }

    /// Frames a second.
    /// - Parameter asked: Those that the client asked for, or every tick's.
    func rate(asked: Double) -> Double {
        switch level {
        case 0: asked
        case 1: asked / 2
        case 2: min(asked / 2, 10)
        default: min(asked / 2, 1)
        }
    }
}
