// Estimates how fast something advances, and the remaining time, from positions at times. Time is an argument. Avoids known
// mistakes: averaging rates, estimates that freeze while nothing arrives, and resumed tasks that count earlier work.

import Base

/// A decaying estimate of units per second: exponential smoothing by time, applied twice, with weight 0.1 after one window
/// (the published estimator of indicatif), a window that widens for slow tasks, and a start at the first observed position.
/// After a lasting change of pace, earlier data is forgotten: a task that skips work of an earlier run is not estimated by
/// that.
public struct RateEstimator: Hashable, Sendable {
    /// The estimated remaining time.
    public struct Estimate: Hashable, Sendable {
        /// Seconds left at the recent rate.
        public let seconds: Double
        /// The range between the estimates from the recent rate and from the average since the last change of pace.
        public let range: ClosedRange<Double>
    }

    /// A position at a time.
    private struct Place {
        var position: Double
        var time: Double

        mutating func move(by way: Double, _ seconds: Double) { (position, time) = (position + way, time + seconds) }
    }

    /// Seconds after which data has the weight of a tenth.
    private let window: Double
    /// The time of the first position.
    private var began = 0.0
    /// The start of the current pace.
    private var start: Place?
    private var last = Place(position: 0, time: 0)
    private var smoothed = 0.0
    private var doublySmoothed = 0.0
    /// The weight of the unknown time before the start.
    private var unseen = 1.0
    /// The number of advances since the current pace began, without its first position.
    public private(set) var sampleCount = 0
    /// The longest recent gap.
    private var longestGap = 0.0
    /// When the shown estimate was last updated; see `refreshInterval`.
    private var refreshed = -Double.greatestFiniteMagnitude
    /// The rate at that instant.
    private var shownRate = 0.0
    /// Until when no update could be received, since the last position.
    package private(set) var lookedAwayUntil = -Double.greatestFiniteMagnitude

    // For detecting a change of pace: stretches of at least half a second are compared with the rate before.

    private var stretch = Place(position: 0, time: 0)
    /// The rate that stretches are compared with; 0 before there is one.
    private var usualRate = 0.0
    /// The number of consecutive deviating stretches; negative if they were slower.
    private var strayCount = 0
    /// The end of the first of them, which may contain both paces.
    private var stray = Place(position: 0, time: 0)

    /// The least seconds between two rates that labels show, since people read them.
    public static let refreshInterval = 0.5
    /// Gaps without progress after which a task is stalled; also the fewest that a window contains.
    private static let gaps = 3.0
    /// A rate that differs by this factor is another pace, if it lasts for this many stretches and for this many seconds
    /// after the first.
    private static let another = 8.0
    private static let lasting = (stretches: 3, seconds: 2.0)

    /// - Parameter window: Seconds after which data has the weight of a tenth; over 0.
    public init(window: Double = 15) {
        self.window = window > 0 ? window : 15
    }

    /// Records a position at a time. Only progress counts: an equal position is ignored, and a smaller one starts over. A
    /// position that isn't later in time is dropped; the next one includes it.
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
        add(Place(position: position, time: seconds))
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

    private mutating func add(_ place: Place) {
        let gap = place.time - last.time
        let weight = weight(of: gap, until: place.time)
        let rate = (place.position - last.position) / gap
        unseen *= weight
        smoothed = smoothed * weight + rate * (1 - weight)
        doublySmoothed = doublySmoothed * weight + smoothed / (1 - unseen) * (1 - weight)
        last = place
    }

    /// Checks whether the pace has changed.
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

    /// Restarts at the end of the first deviating stretch, where the current pace began.
    private mutating func forgetWhatWasBefore() {
        let present = last
        (start, last) = (stray, stray)
        (smoothed, doublySmoothed, unseen) = (0, 0, 1)
        sampleCount = abs(strayCount) - 1
        strayCount = 0
        add(present)
        usualRate = rate(at: present.time) ?? 0
        (refreshed, shownRate) = (present.time, usualRate)
    }

    /// Starts the progress now: the time before the first progress counts as elapsed, and for no rate.
    public mutating func begin(at seconds: Double) {
        guard start != nil, sampleCount == 0, seconds > last.time else { return }
        start?.time = seconds
        last.time = seconds
        stretch.time = seconds
    }

    /// Records a position reached without counting time: work done before, or while the task was paused.
    /// - Parameter seconds: Only used for the first position, or a smaller one.
    public mutating func skip(to position: Double, at seconds: Double) {
        guard position.isFinite, seconds.isFinite else { return }
        guard start != nil, position >= last.position else { return begin(position, at: seconds) }
        pass(to: Place(position: position, time: last.time))
    }

    /// Continues from the position of an earlier run. That work was not done now, so the pace begins here; the time so far
    /// only counts as elapsed.
    public mutating func resume(from position: Double, at seconds: Double) {
        guard position.isFinite, seconds.isFinite else { return }
        let known = start != nil && position >= last.position ? began : seconds
        begin(position, at: seconds)
        began = known
    }

    /// Ends a time without observation: neither the time since the last position nor its progress counts.
    package mutating func lookAgain(at seconds: Double) {
        guard start != nil, seconds > last.time else { return }
        lookedAwayUntil = seconds
    }

    /// Moves to a place as if all earlier positions had been shifted with it.
    private mutating func pass(to place: Place) {
        let (way, seconds) = (place.position - last.position, place.time - last.time)
        start?.move(by: way, seconds)
        stretch.move(by: way, seconds)
        stray.move(by: way, seconds)
        last = place
        if sampleCount > 0 { refreshed += seconds }
    }

    /// The time of the first position; nil before it.
    public var startTime: Double? { start == nil ? nil : began }

    /// The time of the last progress; nil before the first position.
    public var lastTime: Double? { start == nil ? nil : last.time }

    /// The last position with progress; nil before the first.
    public var lastPosition: Double? { start == nil ? nil : last.position }

    /// Returns the current units per second, decaying while nothing arrives; nil before the first progress.
    public func rate(at seconds: Double) -> Double? {
        guard sampleCount > 0 else { return nil }
        let weight = weight(of: idle(at: seconds), until: last.time)
        let seen = 1 - unseen * weight
        let single = smoothed * weight / seen
        return (doublySmoothed * weight + single * (1 - weight)) / seen
    }

    /// Returns the average units per second at the current pace; nil before the first progress.
    public func averageRate(at seconds: Double) -> Double? {
        guard sampleCount > 0, let start, seconds > start.time else { return nil }
        return (last.position - start.position) / (last.time - start.time + idle(at: seconds))
    }

    /// Returns whether three usual gaps have passed without progress: the mean one, or the longest recent one.
    public func isStalled(at seconds: Double) -> Bool {
        guard let gap = meanGap(until: last.time) else { return false }
        return idle(at: seconds) > Self.gaps * max(gap, longestGap)
    }

    /// Returns the observed seconds without progress.
    private func idle(at seconds: Double) -> Double { max(0, seconds - max(last.time, lookedAwayUntil)) }

    /// Returns the remaining time for `remaining` units; nil before two samples and one second, when stalled, and when the
    /// rate has decayed to nothing.
    public func estimate(remaining: Double, at seconds: Double) -> Estimate? {
        guard start != nil, sampleCount >= 2, seconds - began >= 1, remaining >= 0, !isStalled(at: seconds),
            let rate = rate(at: seconds), let average = averageRate(at: seconds)
        else { return nil }
        let recent = remaining / rate
        let overall = remaining / average
        guard recent.isFinite, overall.isFinite else { return nil }
        return Estimate(seconds: recent, range: min(recent, overall)...max(recent, overall))
    }

    /// Returns the rate for labels: updated at most twice a second, and steady through the task's usual gaps; nil before the
    /// first progress.
    public func smoothedRate(at seconds: Double) -> Double? {
        guard sampleCount > 0, let gap = meanGap(until: last.time) else { return nil }
        // Unusually long time without progress, in whole refreshes: within one, nothing changes.
        let overdue = idle(at: seconds) - gap
        guard overdue >= Self.refreshInterval else { return shownRate }
        let refreshes = (overdue / Self.refreshInterval).rounded(.down)
        return rate(at: max(last.time, lookedAwayUntil) + refreshes * Self.refreshInterval)
    }

    /// Returns the remaining time for labels: from ``smoothedRate(at:)``, counting down between updates. Nil when `estimate`
    /// is.
    public func smoothedEstimate(remaining: Double, at seconds: Double) -> Estimate? {
        // While no more than the usual gap passes, the work of that time is only not reported yet.
        let counted = min(idle(at: seconds), meanGap(until: last.time) ?? 0)
        guard estimate(remaining: remaining, at: seconds) != nil, let rate = smoothedRate(at: seconds), rate > 0,
            let average = averageRate(at: seconds - counted)
        else { return nil }
        let recent = max(0, remaining / rate - counted)
        let overall = max(0, remaining / average - counted)
        return Estimate(seconds: recent, range: min(recent, overall)...max(recent, overall))
    }

    /// Moves its data along a timeline that was shifted by `seconds`.
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
        // 0.1^(age / window), by powers of two.
        return Decay.halved(age / window * 3.321_928_094_887_362_3)
    }
}

extension RateEstimator {
    /// Its state as plain numbers, for storing; empty before the first position.
    package var numbers: [Double] {
        guard let start else { return [] }
        let numbers = [
            began, start.position, start.time, last.position, last.time, smoothed, doublySmoothed, unseen,
            Double(sampleCount), longestGap, refreshed, shownRate, lookedAwayUntil, stretch.position, stretch.time,
            usualRate,
        ]
        return strayCount == 0 ? numbers : numbers + [Double(strayCount), stray.position, stray.time]
    }

    /// The number of stored numbers, without and with those of a possible new pace.
    private static let counts = (usual: 16, straying: 19)

    /// Restores stored numbers.
    ///
    /// - Parameters:
    ///   - numbers: the value of `numbers`; anything invalid starts over.
    ///   - window: as in ``init(window:)``.
    package init(numbers: [Double], window: Double = 15) {
        self.init(window: window)
        let counts = Self.counts
        guard [counts.usual, counts.straying].contains(numbers.count), !numbers.contains(where: { $0.isNaN }),
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

    /// Returns whether both have the same data.
    public static func == (left: RateEstimator, right: RateEstimator) -> Bool {
        left.window == right.window && left.numbers == right.numbers
    }

    /// Hashes the last position and the number of samples.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(last.position)
        hasher.combine(last.time)
        hasher.combine(sampleCount)
    }
}

/// Exponential decay without a C library, with the same bits on every platform.
enum Decay {
    /// Returns 2^-x for x >= 0, and 1 for negative x.
    static func halved(_ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x < 1_000 else { return 0 }
        let whole = Int(saturating: x)
        let exponent = (Double(whole) - x) * 0.693_147_180_559_945_3
        // The series of e^y for -ln 2 < y <= 0: 18 terms leave an error below 1e-18.
        var sum = 1.0
        for term in stride(from: 18.0, through: 1, by: -1) { sum = 1 + sum * exponent / term }
        return Double(sign: .plus, exponent: -whole, significand: sum)
    }
}
