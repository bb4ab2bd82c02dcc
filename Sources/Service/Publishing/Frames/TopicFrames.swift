// The frames of one topic in all its forms.

import Base
import Board
import EventStream
import Tween
import Wire

/// What the subscribers of one topic were last sent.
struct TopicFrames {
    /// Whether frames differ in text alone, so that all forms without a locale show the same.
    private let isCountdown: Bool
    /// The form of all plain variants.
    private var plain: FrameForm
    /// The others: one for each variant that the topic is watched in, so only a few.
    private var extended: [FrameForm] = []

    /// The frames where there is no resource.
    static let unused = TopicFrames()

    private init() { (plain, isCountdown) = (FrameForm(.json, FramePrefix()), false) }

    init(_ name: ResourceName) {
        (plain, isCountdown) = (FrameForm(.json, FramePrefix(name)), name.kind == .schedule)
    }

    /// Whether a variant shares its form with the plain ones.
    func isCommon(_ variant: Variant) -> Bool { variant.isPlain || isCountdown && variant.locale == 0 }

    /// Uses the form of a variant.
    mutating func withForm<Result>(of variant: Variant, _ body: (inout FrameForm) -> Result) -> Result {
        if isCommon(variant) { return body(&plain) }
        let place = place(of: variant)
        return body(&extended[place])
    }

    /// Returns the index of an extended form, which is new if need be.
    private mutating func place(of variant: Variant) -> Int {
        for known in extended.indices where extended[known].variant == variant { return known }
        extended.append(FrameForm(variant, plain.prefix))
        return extended.count - 1
    }

    // MARK: - Frames of samples

    /// Puts a sample's frame in each plain variant, if it differs from the last frame.
    @inline(__always)
    mutating func put(
        _ sample: Sample, as variants: VariantSet, on topic: TopicIndex, _ stamp: FrameStamp,
        of engine: borrowing Engine, _ buffers: inout FrameBuffers, into series: inout FrameSeries
    ) -> FrameForm.Outcome {
        if !plain.knows(sample), let track = engine.tracks[sample.slot] { plain.adopt(track, of: sample) }
        return plain.put(sample, as: variants, on: topic, stamp, &buffers, into: &series)
    }

    /// Puts a sample's frame in an extended variant, if it differs from the last frame.
    /// - Parameter readers: Returns a track in a variant's locale; nil until its formats are compiled for it.
    mutating func put(
        _ sample: Sample, as variant: Variant, on topic: TopicIndex, _ stamp: FrameStamp,
        of engine: borrowing Engine, readers: (Track, Variant) -> Track?, _ buffers: inout FrameBuffers,
        into series: inout FrameSeries
    ) -> FrameForm.Outcome {
        let place = place(of: variant)
        if !extended[place].knows(sample) {
            guard let track = engine.tracks[sample.slot], let shown = readers(track, variant) else { return .waiting }
            extended[place].adopt(shown, of: sample)
        }
        return extended[place].put(
            sample, as: CollectionOfOne(variant), on: topic, stamp, &buffers, into: &series)
    }

    // MARK: - Subscribers

    /// Forgets what was shown in variants that have no subscribers left. The next frame begins with the state at that time.
    mutating func keep(_ variants: VariantSet, _ all: WatchedVariants) {
        if variants.plain.isEmpty { plain.lapse() }
        extended.removeAll { form in !all.contains(form.variant) }
    }

    /// Forgets what was shown in a variant in a reader's locale.
    mutating func lapse(_ variant: Variant) { extended.removeAll { $0.variant == variant } }
}
