// What the frames of a topic begin with, and what the last of them showed: equal frames are not sent.

import Board
import EventStream
import Labels
import Tween
import Wire

/// A topic's part in its frames.
struct FrameLine {
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
    /// The text of the last frame, escaped for JSON; out of date while `showsNumber`.
    private var text: [UInt8] = []
    private var fraction: Double?
    /// A frame has gone out since the topic is watched.
    private var hasShown = false
    /// The last frame showed `number` in `label`, which takes less to know than its text.
    private var showsNumber = false
    private var number = FrameLabel.Number.zero
    private var label = FrameLabel.none
    /// Which state of the track `label` is of.
    private var serial: UInt64 = 0

    /// The line of no topic.
    static let empty = FrameLine(prefix: FramePrefix())

    init(prefix: FramePrefix) { self.prefix = prefix }

    /// Notes what a frame shows.
    /// - Returns: false when the last one showed the same.
    mutating func show(_ text: [UInt8], fraction: Double?, forced: Bool) -> Bool {
        noteText()
        if !forced, hasShown, self.fraction == fraction, self.text == text { return false }
        self.text.removeAll(keepingCapacity: true)
        self.text.append(contentsOf: text)
        self.fraction = fraction
        hasShown = true
        return true
    }

    /// Notes what the state shows that a stream begins with, where no frame has gone out yet. Where one has, others wait
    /// for the next that differs from it.
    mutating func begin(_ text: [UInt8], fraction: Double?) {
        if !hasShown, !showsNumber { _ = show(text, fraction: fraction, forced: false) }
    }

    /// Forgets what was shown.
    mutating func lapse() {
        hasShown = false
        showsNumber = false
    }

    /// Writes the text of the number that was shown last.
    private mutating func noteText() {
        guard showsNumber else { return }
        text.removeAll(keepingCapacity: true)
        label.append(number, to: &text)
        fraction = nil
        hasShown = true
        showsNumber = false
    }

    // MARK: - Frames that are put

    /// Whether the label is that of a sample's track; else `adopt` it first.
    @inline(__always)
    func knows(_ sample: Sample) -> Bool { serial == sample.serial }

    /// Takes the label of a sample's track.
    mutating func adopt(_ label: FrameLabel, of sample: Sample) {
        noteText()
        self.label = label
        serial = sample.serial
    }

    /// Puts a frame for each variant that takes frames, if it shows another number than the last.
    mutating func putFrames(
        _ sample: Sample, _ topic: TopicIndex, _ variants: VariantSet, _ stamp: FrameStamp,
        into series: inout FrameSeries
    ) -> Outcome {
        guard let value = sample.value, let number = label.number(of: value) else { return .left }
        if showsNumber, number == self.number { return .same }
        guard let digits = DecimalDigits(value) else { return .left }
        guard showsNumber || isNews(number) else { return .same }
        self.number = number
        for variant in variants where !variant.isMotion {
            put(digits, topic, variant, variant.isStamped ? stamp : nil, into: &series)
        }
        return .new
    }

    /// Whether the last frame, which may have been in another label, showed another text.
    private mutating func isNews(_ number: FrameLabel.Number) -> Bool {
        let isFirst = !hasShown || fraction != nil
        let last = text
        self.number = number
        showsNumber = true
        noteText()
        showsNumber = true
        return isFirst || text != last
    }

    @inline(__always)
    private func put(
        _ value: DecimalDigits, _ topic: TopicIndex, _ variant: Variant, _ stamp: FrameStamp?,
        into series: inout FrameSeries
    ) {
        series.makeRoom(FrameEncoder.room(prefix) + label.room)
        let start = series.end
        var bytes = series.bytes.mutableSpan
        // Unsafe for types that not all bytes make a value of; they all do of this one.
        var room = unsafe bytes.mutableBytes
        var place = FrameSeries.putHead(into: &room, at: start)
        place = FrameEncoder.put(prefix, value: value, label, showing: number, stamp: stamp, into: &room, at: place)
        place = FrameSeries.putTail(into: &room, at: place)
        series.append(topic, variant, to: place)
    }
}
