// The prefix of a topic's frames, and what its last frame showed: a frame equal to its predecessor is not sent.

import Board
import EventStream
import Labels
import Tween
import Wire

/// The frame state of one topic.
struct TopicFrameState {
    /// The outcome of putting a frame.
    enum Outcome {
        /// The frame was put.
        case new
        /// The last frame showed the same.
        case same
        /// The frame needs the slow path; nothing has changed.
        case left
    }

    let prefix: FramePrefix
    /// The text of the last frame, escaped for JSON; out of date while `showsNumbers` is true.
    private var text: [UInt8] = []
    private var fraction: Double?
    /// The number of the last frame.
    private var value: Double?
    /// Whether a frame was sent since the topic has subscribers.
    private var hasShown = false
    /// Whether the last frame showed `numbers` in `label`. Comparing numbers is cheaper than comparing texts.
    private var showsNumbers = false
    private var numbers = FrameLabel.Numbers()
    private var label = FrameLabel.none
    private var scale: ProgressScale?
    private var ahead = GreetedState()
    /// The state of the track that `label` and `scale` belong to.
    private var serial: UInt64 = 0

    /// The state where there is no topic.
    static let empty = TopicFrameState(prefix: FramePrefix())

    init(prefix: FramePrefix) { self.prefix = prefix }

    /// Whether the last frame showed this number; its text is less precise.
    func hasShown(_ value: Double) -> Bool { hasShown && self.value == value }

    /// Records what a frame shows.
    /// - Returns: The frame's audience; nil when the last frame showed the same.
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

    /// Records the state that a new stream's snapshot shows. If no frame has been sent yet, it counts as the last frame.
    /// - Returns: Whether the other streams have not seen this state yet.
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

    /// Writes the text of the last numbers.
    private mutating func recordText() {
        guard showsNumbers else { return }
        text.removeAll(keepingCapacity: true)
        label.append(numbers, to: &text)
        showsNumbers = false
    }

    // MARK: - Putting frames

    /// Whether the label belongs to a sample's track; otherwise call `adopt` first.
    func knows(_ sample: Sample) -> Bool { serial == sample.serial }

    /// Takes over the label of a sample's track.
    mutating func adopt(_ track: Track, of sample: Sample) {
        recordText()
        label = FrameLabel(track) ?? .none
        scale = track.progressScale
        serial = sample.serial
    }

    /// Puts a frame for each variant that receives frames, if it differs from the last frame.
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
            // Other numbers make another text, unless they can run together or the label was another.
            if !(showsNumbers && label.isUnambiguous), shows(numbers) { return .same }
        }
        for variant in variants where !variant.isMotion {
            let stamp = variant.isStamped ? stamp : nil
            guard put(value, share, numbers, topic, variant, stamp, into: &series) else { return .left }
        }
        (self.numbers, fraction, self.value, showsNumbers, hasShown) = (numbers, share?.fraction, value, true, true)
        return .new
    }

    /// Whether the last frame showed the text of these numbers; if so, records them as its numbers.
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
