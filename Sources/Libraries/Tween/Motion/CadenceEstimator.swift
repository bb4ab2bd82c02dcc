// Learns the interval between updates, for motions that should arrive when the next one does. It reads no clock.

import Base

/// The interval between a feed's updates, learned in constant space and robust against jitter, pauses and bursts.
public struct CadenceEstimator: Hashable, Sendable {
    /// A gap more than this many times the mean is a pause; one less than the mean divided by `burst` belongs to a burst.
    private static let pause = 4.0
    private static let burst = 8.0
    /// Gaps after which a pause is forgotten, and consecutive burst gaps after which the feed has become faster.
    private static let memory = 8

    private var last: Instant?
    private var mean = 0.0
    /// The longest recent gap, decaying to the mean.
    private var longest = 0.0
    private var learned = 0
    private var gapsSincePause = CadenceEstimator.memory
    private var burstLength = 0

    /// Creates an estimator without data.
    public init() {}

    /// Seconds for a motion that starts at an update and should arrive when the next one comes; nil before the second
    /// update.
    ///
    /// Slightly late rather than early, so that a steady feed never stands still: 7 % over the longest recent gap, at most
    /// 90 % over the mean, which keeps the remaining way at the next update below one mean gap.
    public var duration: Double? {
        learned > 0 ? min(1.07 * longest, 1.9 * mean) : nil
    }

    /// The usual seconds between updates; nil before the third, since one gap is no pattern.
    public var usualGap: Double? { learned >= 2 ? mean : nil }

    /// Records an update. Updates at the same instant count as one; an earlier instant is ignored.
    public mutating func observe(_ instant: Instant) {
        guard let last else {
            self.last = instant
            return
        }
        let gap = instant.seconds(since: last)
        guard gap > 0 else { return }
        self.last = instant
        guard learned >= 3 else {
            learn(gap)
            return
        }
        if gap > Self.pause * mean {
            observePause(gap)
        } else if gap * Self.burst < mean {
            observeBurst(gap)
        } else {
            burstLength = 0
            gapsSincePause = min(gapsSincePause + 1, Self.memory)
            learn(gap)
        }
    }

    /// Moves its data along a timeline that was shifted by `nanoseconds`.
    package mutating func shift(byNanoseconds nanoseconds: Int64) {
        last = last?.advanced(byNanoseconds: nanoseconds)
    }

    /// Its state as plain numbers, for storing; empty before the first update. The last update is separate, since
    /// nanoseconds since an epoch don't fit into a double.
    package var numbers: [Double] {
        last == nil
            ? [] : [mean, longest, Double(learned), Double(gapsSincePause), Double(burstLength)]
    }

    /// The last update.
    public var lastUpdate: Instant? { last }

    /// Restores stored numbers.
    /// - Parameters:
    ///   - numbers: The value of `numbers`; anything invalid starts over.
    ///   - last: The value of `lastUpdate`.
    package init(numbers: [Double], last: Instant) {
        self.init()
        guard numbers.count == 5, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }),
            // proven: there are five.
            numbers[2...].allSatisfy({ $0 <= 1_000_000 })
        else { return }
        self.last = last
        (mean, longest) = (numbers[0], numbers[1])
        learned = min(Int(saturating: numbers[2]), Self.memory)
        gapsSincePause = min(Int(saturating: numbers[3]), Self.memory)
        burstLength = Int(saturating: numbers[4])
    }

    /// A single pause doesn't change the rhythm; a second one soon after does.
    private mutating func observePause(_ gap: Double) {
        burstLength = 0
        if gapsSincePause < Self.memory {
            restart(with: gap)
        } else {
            gapsSincePause = 0
        }
    }

    /// A few close updates don't change the rhythm; many in a row do.
    private mutating func observeBurst(_ gap: Double) {
        burstLength += 1
        gapsSincePause = min(gapsSincePause + 1, Self.memory)
        if burstLength >= Self.memory { restart(with: gap) }
    }

    private mutating func restart(with gap: Double) {
        (mean, longest, learned, burstLength, gapsSincePause) = (0, 0, 0, 0, Self.memory)
        learn(gap)
    }

    /// Averages with equal weights at first, then exponential ones.
    private mutating func learn(_ gap: Double) {
        learned = min(learned + 1, Self.memory)
        mean += max(1 / Double(learned), 0.125) * (gap - mean)
        // Half of an excess is forgotten in about two hundred gaps. Forgetting sooner would make the next long gap exceed
        // the estimate.
        longest = max(gap, mean, longest + 0.0035 * (mean - longest))
    }
}
