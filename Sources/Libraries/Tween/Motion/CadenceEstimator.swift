// Learns how far apart updates come, for motions that should arrive as the next one does. It reads no clock.

import Base

/// The gap between the updates of a feed, learned in constant space, untroubled by jitter, pauses and bursts.
public struct CadenceEstimator: Hashable, Sendable {
    /// A gap this many times the mean is a pause, and one this many times below it belongs to a burst.
    private static let pause = 4.0
    private static let burst = 8.0
    /// Gaps after which a pause is forgotten, and bursts in a row after which the feed has become faster.
    private static let memory = 8

    private var last: Instant?
    private var mean = 0.0
    /// The longest gap of late, sinking back to the mean.
    private var longest = 0.0
    private var learned = 0
    private var gapsSincePause = CadenceEstimator.memory
    private var burstLength = 0

    /// An estimator that has seen nothing.
    public init() {}

    /// Seconds for a motion that starts at an update, to be there as the next one comes; nil before the second.
    ///
    /// A little late rather than early, so that a steady feed never stands still: 7 % over the longest gap of late,
    /// at most 90 % over the mean, which keeps what is left to go when the next update comes below one mean gap.
    public var duration: Double? {
        learned > 0 ? min(1.07 * longest, 1.9 * mean) : nil
    }

    /// Seconds between updates that are usual; nil before the third, since one gap is no habit.
    public var usualGap: Double? { learned >= 2 ? mean : nil }

    /// Takes note of an update. Updates at the same instant are one; an earlier instant is not looked at.
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

    /// Moves what was seen along a timeline that was set anew by `nanoseconds`.
    package mutating func shift(byNanoseconds nanoseconds: Int64) {
        last = last?.advanced(byNanoseconds: nanoseconds)
    }

    /// Everything it knows as plain numbers, for whoever stores it; empty before the first update. The last update comes
    /// apart from them, since nanoseconds of an epoch don't fit into a double.
    package var numbers: [Double] {
        last == nil
            ? [] : [mean, longest, Double(learned), Double(gapsSincePause), Double(burstLength)]
    }

    /// The last update seen.
    public var lastUpdate: Instant? { last }

    /// Goes on from stored numbers.
    /// - Parameters:
    ///   - numbers: What `numbers` gave; anything else starts anew.
    ///   - last: What `lastUpdate` gave.
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

    /// One pause is not the feed's rhythm; a second one soon after is.
    private mutating func observePause(_ gap: Double) {
        burstLength = 0
        if gapsSincePause < Self.memory {
            restart(with: gap)
        } else {
            gapsSincePause = 0
        }
    }

    /// A few updates close together are not the feed's rhythm; a long row of them is.
    private mutating func observeBurst(_ gap: Double) {
        burstLength += 1
        gapsSincePause = min(gapsSincePause + 1, Self.memory)
        if burstLength >= Self.memory { restart(with: gap) }
    }

    private mutating func restart(with gap: Double) {
        (mean, longest, learned, burstLength, gapsSincePause) = (0, 0, 0, 0, Self.memory)
        learn(gap)
    }

    /// An average with equal weights at first and exponential ones from then on.
    private mutating func learn(_ gap: Double) {
        learned = min(learned + 1, Self.memory)
        mean += max(1 / Double(learned), 0.125) * (gap - mean)
        // Half of an excess is forgotten in some two hundred gaps: sooner, and the next long one finds it too short.
        longest = max(gap, mean, longest + 0.0035 * (mean - longest))
    }
}
