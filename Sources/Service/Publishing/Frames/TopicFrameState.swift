// What the frames of a topic begin with, and what the last of them showed: equal frames are not sent.

import Board
import EventStream
import Labels
import Tween
import Wire

/// A topic's part in its frames.
struct TopicFrameState {
    /// What became of a frame.
    enum Outcome {
        /// It was put.
        case new
        /// The last one showed the same.
        case same
        /// It takes the long way; nothing has changed.
        case left
    }

    let prefix: FramePrefix
    /// The text of the last frame, escaped for JSON; out of date while `showsNumbers`.
    private var text: [UInt8] = []
    private var fraction: Double?
    /// The number of the last frame.
    private var value: Double?
    /// A frame has gone out since the topic is watched.
    private var hasShown = false
    /// The last frame showed `numbers` in `label`, which takes less to know than its text.
    private var showsNumbers = false
    private var numbers = FrameLabel.Numbers()
    private var label = FrameLabel.none
    private var scale: ProgressScale?
    private var ahead = GreetedState()
    /// Which state of the track `label` and `scale` are of.
    private var serial: UInt64 = 0

    /// The line of no topic.
    static let empty = TopicFrameState(prefix: FramePrefix())

    init(prefix: FramePrefix) { self.prefix = prefix }

    /// Whether the last frame had a number; its text says less.
    func hasShown(_ value: Double) -> Bool { hasShown && self.value == value }

    /// Notes what a frame shows.
    /// - Returns: Whom it is for; nil when the last one showed the same.
    mutating func show(_ text: [UInt8], fraction: Double?, value: Double?, forced: Bool) -> FrameAudience? {
        recordText()
        let isNews = forced || !hasShown || self.fraction != fraction || self.text != text
        if isNews {
            self.text.removeAll(keepingCapacity: true)
            self.text.append(contentsOf: text)
            (self.fraction, self.value) = (fraction, value)
            hasShown = true
        }
        return ahead.take(text, fraction, isNews: isNews)
    }

    /// Notes what the state shows that a stream begins with: as what the last frame showed where none has gone out yet.
    /// - Returns: Whether the others are still to be shown it.
    mutating func begin(_ text: [UInt8], fraction: Double?, value: Double?) -> Bool {
        guard hasShown else {
            _ = show(text, fraction: fraction, value: value, forced: false)
            return false
        }
        recordText()
        guard self.fraction != fraction || self.text != text else { return false }
        ahead.record(text, fraction)
        return true
    }

    /// Forgets what was shown.
    mutating func lapse() {
        hasShown = false
        showsNumbers = false
    }

    /// Writes the text of the numbers that were shown last.
    private mutating func recordText() {
        guard showsNumbers else { return }
        text.removeAll(keepingCapacity: true)
        label.append(numbers, to: &text)
        showsNumbers = false
    }

    // MARK: - Frames that are put

    /// Whether the label is that of a sample's track; else `adopt` it first.
    func knows(_ sample: Sample) -> Bool { serial == sample.serial }

    /// Takes the label of a sample's track.
    mutating func adopt(_ track: Track, of sample: Sample) {
        recordText()
        label = FrameLabel(track) ?? .none
        scale = track.progressScale
        serial = sample.serial
    }

    /// Puts a frame for each variant that takes frames, if it shows something else than the last.
    mutating func putFrames(
        _ sample: Sample, _ topic: TopicIndex, _ variants: VariantSet, _ stamp: FrameStamp,
        into series: inout FrameSeries
    ) -> Outcome {
        guard ahead.isEmpty, var value = sample.value else { return .left }
        var share: ProgressShare?
        if let scale {
            value = scale.bounds.hold(value)
            share = scale.share(of: value)
        }
        guard let numbers = label.numbers(of: value, share) else { return .left }
        if fraction == share?.fraction, hasShown {
            if showsNumbers, numbers == self.numbers { return .same }
            // Other numbers are another text, unless they may run together, or were in another label.
            if !(showsNumbers && label.isUnambiguous), shows(numbers) { return .same }
        }
        for variant in variants where !variant.isMotion {
            let stamp = variant.isStamped ? stamp : nil
            guard put(value, share, numbers, topic, variant, stamp, into: &series) else { return .left }
        }
        (self.numbers, fraction, self.value, showsNumbers, hasShown) = (numbers, share?.fraction, value, true, true)
        return .new
    }

    /// Whether the last frame had the text of these numbers; then they are what it showed.
    private mutating func shows(_ numbers: FrameLabel.Numbers) -> Bool {
        recordText()
        var text: [UInt8] = []
        label.append(numbers, to: &text)
        guard text == self.text else { return false }
        (self.numbers, showsNumbers) = (numbers, true)
        return true
    }

    @inline(__always)
    private mutating func put(
        _ value: Double, _ share: ProgressShare?, _ numbers: FrameLabel.Numbers, _ topic: TopicIndex,
        _ variant: Variant, _ stamp: FrameStamp?, into series: inout FrameSeries
    ) -> Bool {
        series.put(topic, variant, size: FrameEncoder.room(prefix, text: label.room)) { room, start in
            FrameEncoder.put(
                prefix, value: value, share, &label, showing: numbers, stamp: stamp, into: &room, at: start)
        }
    }
}
