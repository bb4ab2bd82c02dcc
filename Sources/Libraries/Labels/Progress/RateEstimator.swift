// How fast something moves along, and how long it will still take, from positions seen at times. Time is an argument.
// Wrong in known ways if done naively: averages of rates, estimates that freeze while nothing arrives, resumed tasks
// that count what was done before.

import Base

/// A decaying estimate of units per second: exponential smoothing by time, applied twice, with weight 0.1 after one
/// window (the published estimator of indicatif), a window that widens for slow tasks, and a start at the first
/// position that was seen. Where the pace has become another for good, what was before is forgotten: a task that skips
/// what it did in an earlier run is not estimated by that.
public struct RateEstimator: Hashable, Sendable {
    /// How long it may take.
    public struct Estimate: Hashable, Sendable {
        /// Seconds left at the recent rate.
        public let seconds: Double
        /// The range between the recent rate and the average since the pace became what it is.
        public let range: ClosedRange<Double>
    }

    /// Where it was at a time.
    private struct Place {
        var position: Double
        var time: Double

        mutating func move(by way: Double, _ seconds: Double) { (position, time) = (position + way, time + seconds) }
    }

    /// Seconds after which what was seen counts a tenth.
    private let window: Double
    /// When the first position was seen.
    private var began = 0.0
    /// Where the present pace began.
    private var start: Place?
    private var last = Place(position: 0, time: 0)
    private var smoothed = 0.0
    private var doublySmoothed = 0.0
    /// The weight of the time before the start, about which nothing is known.
    private var unseen = 1.0
    /// Observations that moved since the present pace began, its first position not counted.
    public private(set) var sampleCount = 0
    /// The longest gap of late.
    private var longestGap = 0.0
    /// The last instant at which what is shown was estimated anew; see `refreshInterval`.
    private var refreshed = -Double.greatestFiniteMagnitude
    /// The rate at that instant, and the time without progress until then that is expected.
    private var shownRate = 0.0
    /// Until when no update could be received, since the last position.
    package private(set) var lookedAwayUntil = -Double.greatestFiniteMagnitude

    // Whether the pace has become another: stretches of half a second and more are compared with the rate before.

    private var stretch = Place(position: 0, time: 0)
    /// The rate that stretches are compared with; 0 before there is one.
    private var usualRate = 0.0
    /// How many stretches in a row were far off; below 0 where they were slower.
    private var strayCount = 0
    /// The end of the first of them, which may have been both.
    private var stray = Place(position: 0, time: 0)

    /// Between two rates that labels show, seconds: they are read, not watched.
    public static let refreshInterval = 0.5
    /// Gaps without progress after which a task is stalled, and that a window holds at least.
    private static let gaps = 3.0
    /// So many times as fast or as slow is another pace, if it lasts for so many stretches, and for so many seconds behind
    /// the first.
    private static let another = 8.0
    private static let lasting = (stretches: 3, seconds: 2.0)

    /// - Parameter window: Seconds after which what was seen counts a tenth; above 0.
    public init(window: Double = 15) {
        self.window = window > 0 ? window : 15
    }

    /// Takes a position at a time. Progress is what counts: the same position again is ignored, and a smaller one starts
    /// anew. What comes at a time that is not later waits for the next one.
    public mutating func observe(_ position: Double, at seconds: Double) {
        guard position.isFinite, seconds.isFinite else { return }
        guard start != nil, position >= last.position else { return begin(position, at: seconds) }
        guard position > last.position, seconds > last.time else { return }
        if lookedAwayUntil > last.time {
            pass(to: Place(position: position, time: seconds))
            if seconds >= lookedAwayUntil { lookedAwayUntil = -.greatestFiniteMagnitude }
            return
        }
        sampleCount += 1
        longestGap = max(seconds - last.time, 0.8 * longestGap)
        take(Place(position: position, time: seconds))
        endStretch()
        guard seconds - refreshed >= Self.refreshInterval, let rate = self.rate(at: seconds) else { return }
        refreshed = seconds
        shownRate = rate
    }

    private mutating func begin(_ position: Double, at seconds: Double) {
        self = RateEstimator(window: window)
        began = seconds
        let place = Place(position: position, time: seconds)
        (start, last, stretch) = (place, place, place)
    }

    private mutating func take(_ place: Place) {
        let gap = place.time - last.time
        let weight = weight(of: gap, until: place.time)
        let rate = (place.position - last.position) / gap
        unseen *= weight
        smoothed = smoothed * weight + rate * (1 - weight)
        doublySmoothed = doublySmoothed * weight + smoothed / (1 - unseen) * (1 - weight)
        last = place
    }

    /// Looks whether the pace has become another.
    private mutating func endStretch() {
        let seconds = last.time - stretch.time
        guard seconds >= Self.refreshInterval else { return }
        let rate = (last.position - stretch.position) / seconds
        stretch = last
        let direction =
            usualRate <= 0
            ? 0 : rate > Self.another * usualRate ? 1 : Self.another * rate < usualRate ? -1 : 0
        guard direction != 0 else {
            strayCount = 0
            usualRate = self.rate(at: last.time) ?? 0
            return
        }
        if strayCount.signum() != direction { (strayCount, stray) = (0, last) }
        strayCount += direction
        guard abs(strayCount) >= Self.lasting.stretches, last.time - stray.time >= Self.lasting.seconds else { return }
        forgetWhatWasBefore()
    }

    /// The present pace began when the first stretch was over that was far off.
    private mutating func forgetWhatWasBefore() {
        let present = last
        (start, last) = (stray, stray)
        (smoothed, doublySmoothed, unseen) = (0, 0, 1)
        sampleCount = abs(strayCount) - 1
        strayCount = 0
        take(present)
        usualRate = rate(at: present.time) ?? 0
        (refreshed, shownRate) = (present.time, usualRate)
    }

    /// Progress begins now: before the first, the time for which nothing went on doesn't count.
    public mutating func begin(at seconds: Double) {
        guard start != nil, sampleCount == 0, seconds > last.time else { return }
        last.time = seconds
        stretch.time = seconds
    }

    /// Takes a position that was come to in no time that counts: what was done before, or while the task was paused.
    /// - Parameter seconds: Counts where the position is the first, or a smaller one.
    public mutating func skip(to position: Double, at seconds: Double) {
        guard position.isFinite, seconds.isFinite else { return }
        guard start != nil, position >= last.position else { return begin(position, at: seconds) }
        pass(to: Place(position: position, time: last.time))
    }

    /// The task goes on from where an earlier run of it came to: that was not done now, and the pace begins here. The time
    /// so far counts as elapsed alone.
    public mutating func goOn(from position: Double, at seconds: Double) {
        guard position.isFinite, seconds.isFinite else { return }
        let known = start != nil && position >= last.position ? began : seconds
        begin(position, at: seconds)
        began = known
    }

    /// Nobody looked until now: neither the time since the last position counts nor what was done in it.
    package mutating func lookAgain(at seconds: Double) {
        guard start != nil, seconds > last.time else { return }
        lookedAwayUntil = seconds
    }

    /// Goes on from a place as if what is before it had always been so near.
    private mutating func pass(to place: Place) {
        let (way, seconds) = (place.position - last.position, place.time - last.time)
        start?.move(by: way, seconds)
        stretch.move(by: way, seconds)
        stray.move(by: way, seconds)
        last = place
        if sampleCount > 0 { refreshed += seconds }
    }

    /// When the first position was seen; nil before it.
    public var startTime: Double? { start == nil ? nil : began }

    /// When the last progress was seen; nil before the first position.
    public var lastTime: Double? { start == nil ? nil : last.time }

    /// The last position that was progress; nil before the first.
    public var lastPosition: Double? { start == nil ? nil : last.position }

    /// Units per second now, decaying while nothing arrives; nil before the first progress.
    public func rate(at seconds: Double) -> Double? {
        guard sampleCount > 0 else { return nil }
        let weight = weight(of: idle(at: seconds), until: last.time)
        let seen = 1 - unseen * weight
        let single = smoothed * weight / seen
        return (doublySmoothed * weight + single * (1 - weight)) / seen
    }

    /// Units per second since the pace became what it is; nil before the first progress.
    public func averageRate(at seconds: Double) -> Double? {
        guard sampleCount > 0, let start, seconds > start.time else { return nil }
        return (last.position - start.position) / (last.time - start.time + idle(at: seconds))
    }

    /// True when three usual gaps have gone by without progress: the mean one, or the longest of late.
    public func isStalled(at seconds: Double) -> Bool {
        guard let gap = meanGap(until: last.time) else { return false }
        return idle(at: seconds) > Self.gaps * max(gap, longestGap)
    }

    /// Seconds without progress so far that somebody looked at.
    private func idle(at seconds: Double) -> Double { max(0, seconds - max(last.time, lookedAwayUntil)) }

    /// The time left for `remaining` units; nil before two samples and one second, when stalled, and when the rate
    /// has decayed to nothing.
    public func estimate(remaining: Double, at seconds: Double) -> Estimate? {
        guard start != nil, sampleCount >= 2, seconds - began >= 1, remaining >= 0, !isStalled(at: seconds),
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
        let overdue = idle(at: seconds) - gap
        guard overdue >= Self.refreshInterval else { return shownRate }
        let refreshes = (overdue / Self.refreshInterval).rounded(.down)
        return rate(at: max(last.time, lookedAwayUntil) + refreshes * Self.refreshInterval)
    }

    /// The time left for labels: from the calm rate, counting down between updates. Nil when `estimate` is.
    public func calmSeconds(remaining: Double, at seconds: Double) -> Double? {
        guard estimate(remaining: remaining, at: seconds) != nil, let rate = calmRate(at: seconds), rate > 0 else {
            return nil
        }
        let gap = meanGap(until: last.time) ?? 0
        return max(0, remaining / rate - min(idle(at: seconds), gap))
    }

    /// Moves what was seen along a timeline that was set anew by `seconds`.
    package mutating func shift(bySeconds seconds: Double) {
        began += seconds
        start?.time += seconds
        last.time += seconds
        stretch.time += seconds
        stray.time += seconds
        if sampleCount > 0 { refreshed += seconds }
        if lookedAwayUntil > -.greatestFiniteMagnitude { lookedAwayUntil += seconds }
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
        let numbers = [
            began, start.position, start.time, last.position, last.time, smoothed, doublySmoothed, unseen,
            Double(sampleCount), longestGap, refreshed, shownRate, lookedAwayUntil, stretch.position, stretch.time,
            usualRate,
        ]
        return strayCount == 0 ? numbers : numbers + [Double(strayCount), stray.position, stray.time]
    }

    /// How many numbers there are, without and with those of a pace that may be another.
    private static let counts = (usual: 16, straying: 19)

    /// Goes on from stored numbers.
    ///
    /// - Parameters:
    ///   - numbers: what `numbers` gave; anything else starts anew.
    ///   - window: as in ``init(window:)``.
    package init(numbers: [Double], window: Double = 15) {
        self.init(window: window)
        let counts = Self.counts
        guard [counts.usual, counts.straying].contains(numbers.count), !numbers.contains(where: \.isNaN),
            (0...1e15).contains(numbers[8])
        else { return }
        began = numbers[0]
        start = Place(position: numbers[1], time: numbers[2])
        last = Place(position: numbers[3], time: numbers[4])
        (smoothed, doublySmoothed, unseen) = (numbers[5], numbers[6], numbers[7])
        sampleCount = Int(saturating: numbers[8])
        (longestGap, refreshed, shownRate, lookedAwayUntil) = (numbers[9], numbers[10], numbers[11], numbers[12])
        stretch = Place(position: numbers[13], time: numbers[14])
        usualRate = numbers[15]
        guard numbers.count == counts.straying, numbers[16].magnitude <= 1_000_000 else { return }
        strayCount = Int(saturating: numbers[16])
        stray = Place(position: numbers[17], time: numbers[18])
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
