// The prefix of a topic's frames, and those of value and text alone.

import Board
import EventStream
import Labels
import Tween
import Wire

/// The frame state of one topic.
struct TopicFrameState {
    let prefix: FramePrefix
    /// The frames of value and text, stamped or not.
    var plain = FrameLine()

    /// The state where there is no topic.
    static let empty = TopicFrameState(prefix: FramePrefix())

    init(prefix: FramePrefix) { self.prefix = prefix }

    /// Puts a frame for each variant that receives frames, if it differs from the last frame.
    mutating func putFrames(
        _ sample: Sample, _ topic: TopicIndex, _ variants: VariantSet, _ stamp: FrameStamp,
        into series: inout FrameSeries
    ) -> FrameLine.Outcome {
        guard let reading = plain.reading(of: sample) else { return .left }
        guard !plain.shows(reading) else { return .same }
        for variant in variants where !variant.isMotion {
            let stamp = variant.isStamped ? stamp : nil
            guard put(reading, topic, variant, stamp, into: &series) else { return .left }
        }
        plain.record(reading)
        return .new
    }

    @inline(__always)
    private mutating func put(
        _ reading: FrameLine.Reading, _ topic: TopicIndex, _ variant: Variant, _ stamp: FrameStamp?,
        into series: inout FrameSeries
    ) -> Bool {
        series.put(topic, variant, size: FrameEncoder.room(prefix, text: plain.label.room)) { room, start in
            FrameEncoder.put(
                prefix, value: reading.value, reading.share, &plain.label, showing: reading.numbers, stamp: stamp,
                into: &room, at: start)
        }
    }
}
