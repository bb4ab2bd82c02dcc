// An estimate of the log's clock from round trips. Pure: time is an argument.

import Base

/// An estimate of another clock, relative to the monotonic clock of this process.
///
/// Each round trip bounds the clocks' difference by half of its duration; the shortest of the recent ones is used (the clock
/// filter of NTP, RFC 5905 section 10). The estimate approaches it slowly, so that time neither jumps nor stops between two
/// frames. If they are far apart, the other clock was set, and the estimate jumps.
package struct ClockEstimate: Sendable {
    /// A sample of the other clock, in nanoseconds.
    package struct Sample: Hashable, Sendable {
        /// Monotonic times before and after.
        package var sent: Int64
        package var received: Int64
        /// The other clock's time in between.
        package var shown: Int64

        package init(sent: Int64, received: Int64, shown: Int64) {
            (self.sent, self.received, self.shown) = (sent, received, shown)
        }

        /// How far the other clock is ahead.
        var offset: Int64 { shown.subtractingSaturated(sent / 2 + received / 2) }
        /// The maximum error of `offset`.
        var uncertainty: Int64 { received.subtractingSaturated(sent) / 2 }
    }

    /// The number of samples that are kept.
    static let maximumSamples = 16
    /// Nanoseconds from which on a difference is too large for drift: the other clock was set.
    package static let tolerance: Int64 = 100_000_000
    /// The estimate moves by a nanosecond in this many: faster than clocks drift, slower than viewers notice.
    static let slewing: Int64 = 200
    /// A sample's uncertainty grows by a nanosecond in this many: the maximum drift of two clocks that are not set.
    static let wander: Int64 = 10_000

    private var samples: [Sample] = []
    /// How far the other clock is ahead, as estimated; nil before the first sample.
    package private(set) var offset: Int64?
    /// The monotonic time of the last approach.
    private var approached: Int64 = 0

    package init() {}

    /// The best sample, and its current uncertainty.
    private func best(at now: Int64) -> (look: Sample, uncertainty: Int64)? {
        samples.lazy.map { ($0, $0.uncertainty + max(0, now.subtractingSaturated($0.received)) / Self.wander) }
            .min { $0.1 < $1.1 }
    }

    /// Returns how far the other clock is ahead by the best sample, which the estimate approaches.
    package func believedOffset(at now: Int64) -> Int64? { best(at: now)?.look.offset }

    /// Returns the maximum error of the estimate in nanoseconds: the uncertainty of the best sample plus the distance to it.
    /// nil before the first sample.
    package func uncertainty(at now: Int64) -> Int64? {
        guard let (look, uncertainty) = best(at: now) else { return nil }
        let way = offset.map { Int64(clamping: look.offset.subtractingSaturated($0).magnitude) } ?? 0
        return uncertainty.addingSaturated(way)
    }

    /// Returns by how many nanoseconds a sample proves that the other clock was set; nil if drift may explain it. The proof
    /// is a time that the other clock could not have shown between the question and the answer.
    package func step(in sample: Sample) -> Int64? {
        guard let (look, uncertainty) = best(at: sample.received) else { return nil }
        let slack = Self.tolerance + uncertainty
        let earliest = sample.sent.addingSaturated(look.offset).subtractingSaturated(slack)
        let latest = sample.received.addingSaturated(look.offset).addingSaturated(slack)
        guard sample.shown < earliest || sample.shown > latest else { return nil }
        return sample.offset.subtractingSaturated(look.offset)
    }

    /// Adds a sample.
    package mutating func add(_ sample: Sample) {
        // Samples that the newest contradicts are from before the clock was set.
        samples.removeAll { known in
            let difference = known.offset.subtractingSaturated(sample.offset).magnitude
            return difference > (Self.tolerance + known.uncertainty + sample.uncertainty).magnitude
        }
        if samples.count >= Self.maximumSamples { samples.removeFirst() }
        samples.append(sample)
    }

    /// Jumps to the best sample; for use before any time was shown.
    package mutating func settle(at now: Int64) {
        guard let best = best(at: now) else { return }
        (offset, approached) = (best.look.offset, now)
    }

    /// Approaches the best sample.
    /// - Parameter now: Monotonic nanoseconds.
    /// - Returns: By how many nanoseconds the other clock was set; nil if it was not.
    @discardableResult
    package mutating func approach(at now: Int64) -> Int64? {
        guard let (look, uncertainty) = best(at: now) else { return nil }
        defer { approached = now }
        guard let known = offset else {
            offset = look.offset
            return nil
        }
        let difference = look.offset.subtractingSaturated(known)
        guard difference.magnitude <= (Self.tolerance + uncertainty).magnitude else {
            offset = look.offset
            return difference
        }
        let most = max(0, now.subtractingSaturated(approached)) / Self.slewing
        offset = known + min(max(difference, -most), most)
        return nil
    }
}
