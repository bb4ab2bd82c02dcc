// Keyframes: a number's values at fractions of its time, and the easings between them.

/// The keyframes of a motion, as in Web Animations, except that each has the easing of the way to it.
///
/// A motion starts from its own start, at share 0, and ends on the last keyframe, at share 1.
public struct Keyframes: Hashable, Sendable {
    /// A value at a share of the time.
    public struct Frame: Hashable, Sendable {
        /// The value at that time.
        public let value: Double
        /// The share of the cycle's time, 0 to 1.
        public let offset: Double
        /// The easing from the previous keyframe.
        public let easing: Easing

        /// Creates a keyframe.
        public init(_ value: Double, at offset: Double, easing: Easing = .linear) {
            (self.value, self.offset, self.easing) = (value, offset, easing)
        }
    }

    /// In order of their offsets. Of several at one offset, the number jumps to the last.
    public let frames: [Frame]

    /// Creates keyframes; nil if there are none, offsets decrease or leave 0...1, or the last is not at 1.
    public init?(_ frames: [Frame]) {
        guard frames.last?.offset == 1 else { return nil }
        var last = 0.0
        for frame in frames {
            guard frame.offset >= last, frame.offset <= 1 else { return nil }
            last = frame.offset
        }
        self.frames = frames
    }

    /// Creates evenly spaced keyframes with the same easing; nil if there are none.
    public init?(evenly values: [Double], easing: Easing = .linear) {
        let count = Double(values.count)
        self.init(
            values.enumerated().map { index, value in
                Frame(value, at: index + 1 == values.count ? 1 : Double(index + 1) / count, easing: easing)
            })
    }

    /// The last keyframe's value.
    var end: Double { frames.last?.value ?? 0 }

    /// The range of all values, ignoring easings that overshoot.
    var hull: ClosedRange<Double> {
        frames.reduce(end...end) { min($0.lowerBound, $1.value)...max($0.upperBound, $1.value) }
    }

    /// Returns the distance between the largest and smallest value of a motion from `start`.
    package func extent(from start: Double) -> Double {
        max(hull.upperBound, start) - min(hull.lowerBound, start)
    }

    /// Returns the value at a share of the time, 0 to 1, of a motion from `start`.
    func value(at share: Double, from start: Double) -> Double {
        guard let leg = leg(at: share, from: start) else { return end }
        return interpolated(from: leg.start, to: leg.frame.value, at: leg.frame.easing.value(at: leg.share))
    }

    /// Returns the ends and turns of the ways between keyframes that lie partly within these shares, of a motion from `start`.
    /// Of several keyframes at one offset, only the first is approached and only the last is left.
    func turns(from start: Double, within way: ClosedRange<Double>) -> [Motion.Turn] {
        var turns: [Motion.Turn] = []
        var before: (value: Double, offset: Double) = (start, 0)
        for frame in frames {
            let length = frame.offset - before.offset
            if length > 0, frame.offset >= way.lowerBound, before.offset <= way.upperBound {
                for point in frame.easing.shownTurns {
                    let share = point.input == 1 ? frame.offset : before.offset + length * point.input
                    let value = interpolated(from: before.value, to: frame.value, at: point.output)
                    turns.append(Motion.Turn(share: share, value: value))
                }
            }
            before = (frame.value, frame.offset)
        }
        return turns
    }

    /// Returns the derivative of `value(at:from:)`; at a keyframe, of the way that begins there.
    func slope(at share: Double, from start: Double) -> Double {
        guard let leg = leg(at: share, from: start) else { return 0 }
        return (leg.frame.value - leg.start) * leg.frame.easing.slope(at: leg.share) / leg.length
    }

    /// Returns the current leg: its start value, its keyframe, the completed share of it, and its share of the time. Nil at
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

/// Returns the value at an eased progress between two values. Exact at both ends, and between them for progress between 0
/// and 1.
@inline(__always)
func interpolated(from: Double, to: Double, at progress: Double) -> Double {
    if progress == 0 { return from }
    if progress == 1 { return to }
    let distance = to - from
    guard distance.isFinite else { return from * (1 - progress) + to * progress }
    let value = from + distance * progress
    guard progress > 0, progress < 1 else { return value }
    // Rounding can carry the sum an ulp past an end, and the last step would then go back.
    return from < to ? min(max(value, from), to) : max(min(value, from), to)
}
