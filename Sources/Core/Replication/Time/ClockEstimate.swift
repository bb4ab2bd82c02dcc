// What a log's clock shows, as well as round trips tell: pure, time is an argument.

import Base

/// An estimate of another clock, by the monotonic clock of this process.
///
/// Each round trip bounds the difference of the two by half of its length; the shortest of the last ones is believed (the
/// clock filter of NTP, RFC 5905 section 10). The estimate approaches it slowly, so that time neither jumps nor stands still
/// between two frames; where they are far apart the other clock was set, and the estimate jumps.
package struct ClockEstimate: Sendable {
    /// A look at the other clock; nanoseconds.
    package struct Sample: Hashable, Sendable {
        /// Monotonic times before and after.
        package var sent: Int64
        package var received: Int64
        /// What the other clock showed in between.
        package var shown: Int64

        package init(sent: Int64, received: Int64, shown: Int64) {
            (self.sent, self.received, self.shown) = (sent, received, shown)
        }

        /// How much later the other clock shows a time.
        var offset: Int64 { shown.subtractingSaturated(sent / 2 + received / 2) }
        /// The most by which `offset` is wrong.
        var uncertainty: Int64 { received.subtractingSaturated(sent) / 2 }
    }

    /// Looks that are remembered.
    static let maximumSamples = 16
    /// Nanoseconds from which on a difference is no matter of drift: the other clock was set.
    package static let tolerance: Int64 = 100_000_000
    /// The estimate approaches what is believed by a nanosecond in so many: faster than clocks drift, slower than is seen.
    static let slewing: Int64 = 200
    /// A look is worth a nanosecond less after so many: what two clocks that nobody sets differ by, at most.
    static let wander: Int64 = 10_000

    private var samples: [Sample] = []
    /// How much later the other clock shows a time; nil before the first look.
    package private(set) var offset: Int64?
    /// The monotonic time up to which the estimate has approached what is believed.
    private var approached: Int64 = 0

    package init() {}

    /// The look that is believed, and by how much it may be wrong by now.
    private func best(at now: Int64) -> (look: Sample, uncertainty: Int64)? {
        samples.map { ($0, $0.uncertainty + max(0, now.subtractingSaturated($0.received)) / Self.wander) }
            .min { $0.1 < $1.1 }
    }

    /// How much later the other clock shows a time than the monotonic one, as it is believed: what is approached.
    package func believedOffset(at now: Int64) -> Int64? { best(at: now)?.look.offset }

    /// The most by which the estimate is wrong, in nanoseconds: what is believed may be, and it has yet to come there. nil
    /// before the first look.
    package func uncertainty(at now: Int64) -> Int64? {
        guard let (look, uncertainty) = best(at: now) else { return nil }
        let way = offset.map { Int64(clamping: look.offset.subtractingSaturated($0).magnitude) } ?? 0
        return uncertainty.addingSaturated(way)
    }

    /// By how many nanoseconds a look proves that the other clock was set; nil where it may have run on: it shows what that
    /// would not have shown at any time between the question and the answer.
    package func step(in sample: Sample) -> Int64? {
        guard let (look, uncertainty) = best(at: sample.received) else { return nil }
        let slack = Self.tolerance + uncertainty
        let earliest = sample.sent.addingSaturated(look.offset).subtractingSaturated(slack)
        let latest = sample.received.addingSaturated(look.offset).addingSaturated(slack)
        guard sample.shown < earliest || sample.shown > latest else { return nil }
        return sample.offset.subtractingSaturated(look.offset)
    }

    /// Takes a look in.
    package mutating func add(_ sample: Sample) {
        // Looks that the newest proves wrong are of a clock that has been set since.
        samples.removeAll { known in
            let difference = known.offset.subtractingSaturated(sample.offset).magnitude
            return difference > (Self.tolerance + known.uncertainty + sample.uncertainty).magnitude
        }
        if samples.count >= Self.maximumSamples { samples.removeFirst() }
        samples.append(sample)
    }

    /// Goes to what is believed at once: nobody was shown another time yet.
    package mutating func settle(at now: Int64) {
        guard let best = best(at: now) else { return }
        (offset, approached) = (best.look.offset, now)
    }

    /// Approaches what is believed.
    /// - Parameter now: Monotonic nanoseconds.
    /// - Returns: By how many nanoseconds the other clock turned out to be set; nil when it was not.
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
