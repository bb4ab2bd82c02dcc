// The extended frames of a portion, made in one pass over samples of the last tick.

package import Board
package import EventStream
import Tween
import Wire

/// A pass over the moving tracks of a portion; its buffers are reused for the next pass.
package struct ExtendedPass {
    /// A track whose frames must be made from the track itself.
    package struct Left {
        package let slot: Int
        package let topic: TopicIndex
        /// The owner of the forms; those in locales of readers are all of its own.
        package let owner: Int32
        /// The variants without a frame.
        package fileprivate(set) var variants = VariantSet()
    }

    /// The number of tracks in the last pass with a frame that differs from its predecessor.
    package private(set) var frames: UInt64 = 0
    /// Tracks of the last pass whose frames are not made.
    package private(set) var left: [Left] = []
    /// Slots whose formats are being compiled for a reader's locale.
    private(set) var waiting: [Int] = []

    package init() {}

    /// Adds the frames of the next portion to the hub's batch.
    /// - Parameter readers: Returns a track in a variant's locale; nil until its formats are compiled for it.
    package mutating func run(
        _ frames: inout ExtendedFrames, of engine: borrowing Engine, _ topics: TopicTable, _ extras: inout FrameExtras,
        _ hub: Hub, readers: (Track, Variant) -> Track?
    ) {
        self.frames = 0
        left.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingCapacity: true)
        let end = frames.endOfPortion
        var series = hub.beginSeries()
        let watching = hub.watching
        var unchecked = 0
        while let owned = frames.next(upTo: end) {
            let (sample, owner) = (owned.sample, owned.owner)
            // A track that stopped since the tick has had its final frame, and its slot may hold another track. A changed
            // track gets its frame at the next tick, because it would show a later state here.
            guard let topic = topics.topic(ofTrack: sample.slot), engine.isCurrent(sample) else {
                frames.spend(1)
                continue
            }
            let variants = watching[Int(topic.rawValue)].extended
            let localised = variants.hasLocales ? hub.localised(watching: topic) : []
            var put = TrackFrames(sample: sample, topic: topic, stamp: frames.stamp, instant: frames.instant)
            let isSole = hub.soleOwner(watching: topic) != nil
            for variant in variants where isSole || hub.owner(of: variant, watching: topic) == owner {
                put.putFrame(variant, of: engine, topics, &extras, into: &series) { track, _ in track }
            }
            for variant in localised
            where !variant.isMotion && (isSole || hub.owner(of: variant, watching: topic) == owner) {
                put.putFrame(variant, of: engine, topics, &extras, into: &series, readers)
            }
            frames.spend(put.work)
            if !put.left.isEmpty {
                left.append(Left(slot: sample.slot, topic: topic, owner: owner, variants: put.left))
            }
            if put.isWaiting { waiting.append(sample.slot) }
            guard put.count > 0 else { continue }
            self.frames += 1
            // An occasional check is enough: a batch may be slightly too large.
            unchecked += put.count
            guard unchecked >= 64 else { continue }
            unchecked = 0
            hub.sealIfFull(&series)
        }
        hub.endSeries(series)
    }
}

/// The frames of one sample.
private struct TrackFrames {
    let sample: Sample
    let topic: TopicIndex
    let stamp: FrameStamp
    let instant: Instant
    /// How many of them differ from their predecessors.
    var count = 0
    /// The variants whose frames must be made from the track.
    var left = VariantSet()
    /// Whether formats are being compiled.
    var isWaiting = false
    var work = 0

    @inline(__always)
    mutating func putFrame(
        _ variant: Variant, of engine: borrowing Engine, _ topics: TopicTable, _ extras: inout FrameExtras,
        into series: inout FrameSeries, _ readers: (Track, Variant) -> Track?
    ) {
        work += variant.work
        let form = extras.form(of: topic, variant)
        if !extras.knows(sample, form) {
            guard let track = engine.tracks[sample.slot] else { return }
            guard let shown = readers(track, variant) else {
                isWaiting = true
                return
            }
            extras.adopt(shown, of: sample, form)
        }
        guard let prefix = topics.prefix(of: topic) else { return }
        switch extras.putFrame(sample, on: topic, at: form, prefix, stamp, at: instant, into: &series) {
        case .new: count += 1
        case .same: break
        case .left:
            work += variant.work * FrameForm.workFromTrack
            if variant.locale > 0 { left.hasLocales = true } else { left.insert(variant) }
        }
    }
}
