// The frames of a tick in one pass over what moves: most count no reference and move no byte twice.

import Board
package import EventStream
package import Machine
package import Tween
package import Wire

/// One pass after the other, with what is used again for each.
package struct FramePass {
    /// Texts that differed from the last ones, in the last pass.
    package private(set) var frames: UInt64 = 0
    /// Slots of tracks whose frames take the long way though they are of a number alone, of the last pass.
    package private(set) var left: [Int] = []
    /// Slots of tracks that are watched in forms that take more than a number, of the last pass.
    package private(set) var extended: [Int] = []
    private var samples: [Sample] = []

    package init() {}

    /// Puts a frame of each moving track that shows another number than its last one did into the hub's batch.
    package mutating func run(
        _ machine: inout Machine, _ topics: inout TopicTable, _ hub: Hub, _ stamp: FrameStamp, at now: Instant
    ) {
        frames = 0
        left.removeAll(keepingCapacity: true)
        extended.removeAll(keepingCapacity: true)
        machine.takeSamples(at: now, into: &samples)
        var series = hub.beginSeries()
        let watching = hub.watching
        for sample in samples {
            guard let topic = topics.topic(ofTrack: sample.slot) else { continue }
            var variants = watching[Int(topic.rawValue)]
            guard !variants.isEmpty else { continue }
            if !variants.isPlain {
                extended.append(sample.slot)
                variants = variants.plain
                guard !variants.isEmpty else { continue }
            }
            switch topics.putFrames(sample, topic, variants, stamp, of: machine.engine, into: &series) {
            case .new:
                frames += 1
                // Now and then is enough: a batch may be a little larger.
                if frames & 63 == 0 { hub.sealIfFull(&series) }
            case .same: break
            case .left: left.append(sample.slot)
            }
        }
        hub.endSeries(series)
    }
}

extension TopicTable {
    @inline(__always)
    fileprivate mutating func putFrames(
        _ sample: Sample, _ topic: TopicIndex, _ variants: VariantSet, _ stamp: FrameStamp, of engine: borrowing Engine,
        into series: inout FrameSeries
    ) -> TopicFrameState.Outcome {
        let index = Int(topic.rawValue)
        if !lines[index].knows(sample), let track = engine.tracks[sample.slot] {
            lines[index].adopt(track, of: sample)
        }
        return lines[index].putFrames(sample, topic, variants, stamp, into: &series)
    }
}
