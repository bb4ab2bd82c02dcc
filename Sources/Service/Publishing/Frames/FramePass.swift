// The frames of samples: one pass over all moving tracks makes the plain ones of a tick, then one for each portion those with
// more than a number. Most plain frames neither count a reference nor copy a byte twice.

package import Board
package import EventStream
package import Machine
import Tween
package import Wire

/// A pass over moving tracks; its buffers are reused for the next pass.
package struct FramePass {
    /// A track whose frames must be made from the track itself.
    package struct Left {
        let slot: Int
        let topic: TopicIndex
        /// The variants without a frame.
        let variants: VariantSet
        /// The owner of the forms; those in locales of readers are all of its own. nil for plain ones.
        let owner: Int32?
    }

    /// The number of tracks in the last pass with a frame that differs from its predecessor.
    package private(set) var frames: UInt64 = 0
    /// Tracks of the last pass whose frames are not made.
    package private(set) var left: [Left] = []
    /// Samples of the last pass that are watched in extended variants, once for each owner of such variants.
    package private(set) var extended: [OwnedSample] = []
    /// Slots whose formats are being compiled for a reader's locale.
    private(set) var waiting: [Int] = []
    private var samples: [Sample] = []
    private var owners: [Int32] = []
    private var buffers = FrameBuffers()
    /// Frames since the batch was last checked.
    private var unchecked = 0

    package init() {}

    /// Adds the plain frames of a tick to the hub's batch: one for each moving track whose number differs from its last frame.
    package mutating func run(
        _ machine: inout Machine, _ table: inout FrameTable, _ hub: Hub, _ stamp: FrameStamp
    ) {
        begin()
        extended.removeAll(keepingCapacity: true)
        machine.sample(at: Instant(nanoseconds: stamp.unixNanoseconds), into: &samples)
        var series = hub.beginSeries()
        let (topics, watching) = (hub.topicsOfTracks, hub.watching)
        for sample in samples {
            guard let topic = topics.topic(at: sample.slot) else { continue }
            var variants = watching[Int(topic.rawValue)]
            guard !variants.isEmpty else { continue }
            if !variants.isPlain {
                addExtended(sample, on: topic, hub)
                variants = variants.plain
                guard !variants.isEmpty else { continue }
            }
            let outcome = table.topics[Int(topic.rawValue)].put(
                sample, as: variants, on: topic, stamp, of: machine.engine, &buffers, into: &series)
            switch outcome {
            case .new: count(1, hub, &series)
            case .same, .waiting: break
            case .left: left.append(Left(slot: sample.slot, topic: topic, variants: variants, owner: nil))
            }
        }
        hub.endSeries(series)
    }

    /// Adds the extended frames of the next portion to the hub's batch.
    /// - Parameter readers: Returns a track in a variant's locale; nil until its formats are compiled for it.
    package mutating func run(
        _ portions: inout ExtendedFrames, of engine: borrowing Engine, _ table: inout FrameTable, _ hub: Hub,
        readers: (Track, Variant) -> Track?
    ) {
        begin()
        let end = portions.endOfPortion
        var series = hub.beginSeries()
        let topics = hub.topicsOfTracks
        while let owned = portions.next(upTo: end) {
            let (sample, owner) = (owned.sample, owned.owner)
            // A track that stopped since the tick has had its final frame, and its slot may hold another track. A changed
            // track gets its frame at the next tick, because it would show a later state here.
            guard let topic = topics.topic(at: sample.slot), engine.isCurrent(sample) else {
                portions.spend(1)
                continue
            }
            var (work, new, unmade) = (0, 0, VariantSet())
            let isSole = hub.soleOwner(watching: topic) != nil
            for variant in hub.allVariants(of: hub.variants(watching: topic).extended, watching: topic)
            where !variant.isMotion && (isSole || hub.owner(of: variant, watching: topic) == owner) {
                work += variant.work
                let outcome = table.topics[Int(topic.rawValue)].put(
                    sample, as: variant, on: topic, portions.stamp, of: engine, readers: readers, &buffers,
                    into: &series)
                switch outcome {
                case .new: new += 1
                case .same: break
                case .left:
                    work += variant.work * FrameForm.workFromTrack
                    unmade.insert(variant)
                case .waiting: waiting.append(sample.slot)
                }
            }
            portions.spend(work)
            if !unmade.isEmpty {
                left.append(Left(slot: sample.slot, topic: topic, variants: unmade, owner: owner))
            }
            if new > 0 { count(new, hub, &series) }
        }
        hub.endSeries(series)
    }

    private mutating func begin() {
        (frames, unchecked) = (0, 0)
        left.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func addExtended(_ sample: Sample, on topic: TopicIndex, _ hub: Hub) {
        if let owner = hub.soleOwner(watching: topic) { return extended.append(OwnedSample(sample, of: owner)) }
        hub.findOwners(watching: topic, &owners)
        for owner in owners { extended.append(OwnedSample(sample, of: owner)) }
    }

    /// Counts the new frames of a track. An occasional check is enough: a batch may be slightly too large.
    @inline(__always)
    private mutating func count(_ new: Int, _ hub: Hub, _ series: inout FrameSeries) {
        frames += 1
        unchecked += new
        guard unchecked >= 64 else { return }
        unchecked = 0
        hub.sealIfFull(&series)
    }
}

extension [Int32] {
    /// Returns the topic of a slot; nil for a slot without one.
    func topic(at slot: Int) -> TopicIndex? {
        guard indices.contains(slot), self[slot] >= 0 else { return nil }
        return TopicIndex(rawValue: self[slot])
    }
}
