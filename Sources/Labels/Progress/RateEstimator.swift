// How fast something moves along, and how long it will still take, from positions seen at times. Time is an argument.
// Wrong in known ways if done naively: averages of rates, estimates that freeze while nothing arrives, resumed tasks
// that count what was done before.

import Conversions

/// A decaying estimate of units per second: exponential smoothing by time, applied twice, with weight 0.1 after one
/// window (the published estimator of indicatif), a window that widens for slow tasks, and a start at the first
/// position that was seen.
public struct RateEstimator: Hashable, Sendable {
    /// How long it may take.
    public struct Estimate: Hashable, Sendable {
        /// Seconds left at the recent rate.
        public let seconds: Double
        /// The range between the recent rate and the average over all the time.
        public let range: ClosedRange<Double>
    }

    /// Seconds after which what was seen counts a tenth.
    private let window: Double
    private var start: (position: Double, time: Double)?
    private var last = (position: 0.0, time: 0.0)
    private var smoothed = 0.0
    private var doublySmoothed = 0.0
    /// The weight of the time before the start, about which nothing is known.
    private var unseen = 1.0
    /// Observations that moved, the first position not counted.
    public private(set) var sampleCount = 0
    /// The last instant at which what is shown was estimated anew; see `refreshInterval`.
    private var refreshed = -Double.greatestFiniteMagnitude
    /// The rate at that instant, and the time without progress until then that is expected.
    private var shownRate = 0.0

    /// Between two rates that labels show, seconds: they are read, not watched.
    public static let refreshInterval = 0.5
    /// Mean gaps without progress after which a task is stalled, and that a window holds at least.
    private static let gaps = 3.0

    /// - Parameter window: Seconds after which what was seen counts a tenth; above 0.
    public init(window: Double = 15) {
        self.window = window > 0 ? window : 15
    }

    /// Takes a position at a time. Progress is what counts: the same position again is ignored, and a smaller one starts
    /// anew. What comes at a time that is not later waits for the next one.
    public mutating func observe(_ position: Double, at seconds: Double) {
        guard position.isFinite, seconds.isFinite else { return }
        guard start != nil, position >= last.position else {
            self = RateEstimator(window: window)
            start = (position, seconds)
            last = (position, seconds)
            return
        }
        let gap = seconds - last.time
        guard position > last.position, gap > 0 else { return }
        sampleCount += 1
        let weight = weight(of: gap, until: seconds)
        let rate = (position - last.position) / gap
        unseen *= weight
        smoothed = smoothed * weight + rate * (1 - weight)
        doublySmoothed = doublySmoothed * weight + smoothed / (1 - unseen) * (1 - weight)
        last = (position, seconds)
        guard seconds - refreshed >= Self.refreshInterval, let rate = self.rate(at: seconds) else { return }
        refreshed = seconds
        shownRate = rate
    }

    /// Progress begins now: before the first, the time for which nothing went on doesn't count.
    public mutating func begin(at seconds: Double) {
        guard start != nil, sampleCount == 0, seconds > last.time else { return }
        last.time = seconds
    }

    /// When the first position was seen; nil before it.
    public var startTime: Double? { start?.time }

    /// When the last progress was seen; nil before the first position.
    public var lastTime: Double? { start == nil ? nil : last.time }

    /// The last position that was progress; nil before the first.
    public var lastPosition: Double? { start == nil ? nil : last.position }

    /// Units per second now, decaying while nothing arrives; nil before the first progress.
    public func rate(at seconds: Double) -> Double? {
        guard sampleCount > 0 else { return nil }
        let idle = max(0, seconds - last.time)
        let weight = weight(of: idle, until: last.time)
        let seen = 1 - unseen * weight
        let single = smoothed * weight / seen
        return (doublySmoothed * weight + single * (1 - weight)) / seen
    }

    /// Units per second since the start; nil before the first progress.
    public func averageRate(at seconds: Double) -> Double? {
        guard sampleCount > 0, let start, seconds > start.time else { return nil }
        return (last.position - start.position) / (max(seconds, last.time) - start.time)
    }

    /// True when three mean gaps have gone by without progress.
    public func isStalled(at seconds: Double) -> Bool {
        guard let gap = meanGap(until: last.time) else { return false }
        return seconds - last.time > Self.gaps * gap
    }

    /// The time left for `remaining` units; nil before two samples and one second, when stalled, and when the rate
    /// has decayed to nothing.
    public func estimate(remaining: Double, at seconds: Double) -> Estimate? {
        guard let start, sampleCount >= 2, seconds - start.time >= 1, remaining >= 0, !isStalled(at: seconds),
            let rate = rate(at: seconds), let average = averageRate(at: seconds)
        else { return nil }
        let recent = remaining / rate
        let overall = remaining / average
        guard recent.isFinite, overall.isFinite else { return nil }
        return Estimate(seconds: recent, range: min(recent, overall)...max(recent, overall))
    }

    /// The rate for labels: estimated anew at most twice a second, and steady through the gaps between updates that are
    /// usual for the task; nil before the first progress.
    public func calmRate(at seconds: Double) -> Double? {
        guard sampleCount > 0, let gap = meanGap(until: last.time) else { return nil }
        // Time without progress that is longer than usual, in whole refreshes: within one, nothing changes.
        let overdue = max(0, seconds - last.time - gap)
        guard overdue >= Self.refreshInterval else { return shownRate }
        return rate(at: last.time + (overdue / Self.refreshInterval).rounded(.down) * Self.refreshInterval)
    }

    /// The time left for labels: from the calm rate, counting down between updates. Nil when `estimate` is.
    public func calmSeconds(remaining: Double, at seconds: Double) -> Double? {
        guard estimate(remaining: remaining, at: seconds) != nil, let rate = calmRate(at: seconds), rate > 0 else {
            return nil
        }
        let gap = meanGap(until: last.time) ?? 0
        return max(0, remaining / rate - min(max(0, seconds - last.time), gap))
    }

    /// Moves what was seen along a timeline that was set anew by `seconds`.
    package mutating func shift(bySeconds seconds: Double) {
        start?.time += seconds
        last.time += seconds
        if sampleCount > 0 { refreshed += seconds }
    }

    private func meanGap(until time: Double) -> Double? {
        guard let start, sampleCount > 0 else { return nil }
        return (time - start.time) / Double(sampleCount)
    }

    private func weight(of age: Double, until time: Double) -> Double {
        let window = max(window, Self.gaps * (meanGap(until: time) ?? 0))
        // 0.1^(age / window), by way of powers of two.
        return Decay.halved(age / window * 3.321_928_094_887_362_3)
    }
}

extension RateEstimator {
    /// Everything it knows as plain numbers, for whoever stores it; empty before the first position.
    package var numbers: [Double] {
        guard let start else { return [] }
        return [
            start.position, start.time, last.position, last.time, smoothed, doublySmoothed, unseen,
            Double(sampleCount), refreshed, shownRate,
        ]
    }

    /// Goes on from stored numbers.
    ///
    /// - Parameters:
    ///   - numbers: what `numbers` gave; anything else starts anew.
    ///   - window: as in ``init(window:)``.
    package init(numbers: [Double], window: Double = 15) {
        self.init(window: window)
        guard numbers.count == 10, !numbers.contains(where: \.isNaN), (0...1e15).contains(numbers[7]) else { return }
        start = (numbers[0], numbers[1])
        last = (numbers[2], numbers[3])
        (smoothed, doublySmoothed, unseen) = (numbers[4], numbers[5], numbers[6])
        sampleCount = Int(saturating: numbers[7])
        (refreshed, shownRate) = (numbers[8], numbers[9])
    }

    /// Whether both have seen the same.
    public static func == (left: RateEstimator, right: RateEstimator) -> Bool {
        left.window == right.window && left.numbers == right.numbers
    }

    /// Hashes the last position and how many there were.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(last.position)
        hasher.combine(last.time)
        hasher.combine(sampleCount)
    }
}

/// Exponential decay without a C library, the same bits on every platform.
enum Decay {
    /// 2^-x for x >= 0; 1 for what is less.
    static func halved(_ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x < 1_000 else { return 0 }
        let whole = Int(saturating: x)
        let exponent = (Double(whole) - x) * 0.693_147_180_559_945_3
        // The series of e^y for -ln 2 < y <= 0: 18 terms leave less than 1e-18.
        var sum = 1.0
        for term in stride(from: 18.0, through: 1, by: -1) { sum = 1 + sum * exponent / term }
        return Double(sign: .plus, exponent: -whole, significand: sum)
    }
}
