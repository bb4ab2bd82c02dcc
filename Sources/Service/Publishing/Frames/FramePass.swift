// The frames of a tick, made in one pass over all moving tracks. Most frames neither count a reference nor copy a byte twice.

import Board
package import EventStream
package import Machine
package import Tween
package import Wire

/// A pass over the moving tracks; its buffers are reused for the next pass.
package struct FramePass {
    /// The number of texts in the last pass that differed from their predecessors.
    package private(set) var frames: UInt64 = 0
    /// Slots of plain tracks of the last pass whose frames need the slow path.
    package private(set) var left: [Int] = []
    /// Samples of the last pass that are watched in extended variants, once for each owner of such variants.
    package private(set) var extended: [OwnedSample] = []
    private var samples: [Sample] = []
    private var owners: [Int32] = []

    package init() {}

    /// Adds a frame to the hub's batch for each moving track whose number differs from its last frame.
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
                if let owner = hub.soleOwner(watching: topic) {
                    extended.append(OwnedSample(sample, of: owner))
                } else {
                    hub.findOwners(watching: topic, &owners)
                    for owner in owners { extended.append(OwnedSample(sample, of: owner)) }
                }
                variants = variants.plain
                guard !variants.isEmpty else { continue }
            }
            switch topics.putFrames(sample, topic, variants, stamp, of: machine.engine, into: &series) {
            case .new:
                frames += 1
                // An occasional check is enough: a batch may be slightly too large.
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
    ) -> FrameLine.Outcome {
        let index = Int(topic.rawValue)
        if !lines[index].plain.knows(sample), let track = engine.tracks[sample.slot] {
            lines[index].plain.adopt(track, of: sample)
        }
        return lines[index].putFrames(sample, topic, variants, stamp, into: &series)
    }
}
