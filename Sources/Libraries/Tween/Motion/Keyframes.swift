// Values on the way: where a number is at which share of its time, and how it goes from one to the next.

/// The keyframes of a motion, as in Web Animations, but that each brings the easing of the way to it.
///
/// A motion sets out from its own start, at share 0, and ends on the last of them, at share 1.
public struct Keyframes: Hashable, Sendable {
    /// A value at a share of the time.
    public struct Frame: Hashable, Sendable {
        /// Where the number is then.
        public let value: Double
        /// The share of the cycle's time, 0 to 1.
        public let offset: Double
        /// How it goes there from the keyframe before.
        public let easing: Easing

        /// A keyframe.
        public init(_ value: Double, at offset: Double, easing: Easing = .linear) {
            (self.value, self.offset, self.easing) = (value, offset, easing)
        }
    }

    /// In the order of their offsets; of several at one offset the number jumps to the last.
    public let frames: [Frame]

    /// The keyframes of a motion; nil where there are none, offsets go back or leave 0...1, or the last is not at 1.
    public init?(_ frames: [Frame]) {
        guard frames.last?.offset == 1 else { return nil }
        var last = 0.0
        for frame in frames {
            guard frame.offset >= last, frame.offset <= 1 else { return nil }
            last = frame.offset
        }
        self.frames = frames
    }

    /// Values at even distances, each with the same easing; nil where there are none.
    public init?(evenly values: [Double], easing: Easing = .linear) {
        let count = Double(values.count)
        self.init(
            values.enumerated().map { index, value in
                Frame(value, at: index + 1 == values.count ? 1 : Double(index + 1) / count, easing: easing)
            })
    }

    /// The last one's value.
    var end: Double { frames.last?.value ?? 0 }

    /// Between which values all of them lie, easings that overshoot left aside.
    var hull: ClosedRange<Double> {
        frames.reduce(end...end) { min($0.lowerBound, $1.value)...max($0.upperBound, $1.value) }
    }

    /// How far apart the values on the way of a motion from `start` lie.
    package func extent(from start: Double) -> Double {
        max(hull.upperBound, start) - min(hull.lowerBound, start)
    }

    /// The value at a share of the time, 0 to 1, of a motion that sets out from `start`.
    func value(at share: Double, from start: Double) -> Double {
        guard let leg = leg(at: share, from: start) else { return end }
        return interpolated(from: leg.start, to: leg.frame.value, at: leg.frame.easing.value(at: leg.share))
    }

    /// The derivative of `value(at:from:)`; at a keyframe that of the way that begins there.
    func slope(at share: Double, from start: Double) -> Double {
        guard let leg = leg(at: share, from: start) else { return 0 }
        return (leg.frame.value - leg.start) * leg.frame.easing.slope(at: leg.share) / leg.length
    }

    /// The way under way: where it began, to which keyframe, the share of it that is gone, and its share of the time. Nil at
    /// the end.
    private func leg(
        at share: Double, from start: Double
    ) -> (start: Double, frame: Frame, share: Double, length: Double)? {
        guard let index = frames.firstIndex(where: { $0.offset > share }) else { return nil }
        let before: (value: Double, offset: Double) =
            index == 0 ? (start, 0) : (frames[index - 1].value, frames[index - 1].offset)
        let length = frames[index].offset - before.offset
        return (before.value, frames[index], max(0, (share - before.offset) / length), length)
    }
}

/// The value at an eased progress between two; exact at both ends, and between them for progress between 0 and 1.
@inline(__always)
func interpolated(from: Double, to: Double, at progress: Double) -> Double {
    if progress == 0 { return from }
    if progress == 1 { return to }
    let distance = to - from
    guard distance.isFinite else { return from * (1 - progress) + to * progress }
    let value = from + distance * progress
    guard progress > 0, progress < 1 else { return value }
    // The rounded distance can carry the sum an ulp past an end, which would make the last step go back.
    return from < to ? min(max(value, from), to) : max(min(value, from), to)
}
