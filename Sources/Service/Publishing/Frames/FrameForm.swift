// The way of a frame, from a motion or a state to bytes. A moving number is written by a label that was compiled once for all
// its frames, without counting a reference or copying a byte twice; everything else is written from its state. Plain frames
// skip what is costly: wheels, display strings, text alone and readers' locales.

import Base
import Board
import EventStream
import Labels
import Tween
import Wire

/// The frames of one topic in one form: what its subscribers were last sent, and how the next frame is made.
struct FrameForm {
    /// What became of a sample's frame.
    enum Outcome {
        case new
        /// The last frame showed the same.
        case same
        /// The frame must be made from its track; nothing has changed.
        case left
        /// Formats are being compiled for the reader's locale.
        case waiting
    }

    /// What a sample shows.
    struct Reading {
        var value: Double
        var share: ProgressShare?
        var numbers: FrameLabel.Numbers
    }

    /// How many times as much work a frame takes if it is made from its track: its label may have to be compiled again.
    static let workFromTrack = 3

    let variant: Variant
    /// The beginning of each frame.
    let prefix: FramePrefix
    private var last: LastFrame
    /// The label of the track's frames. Compiled when the track changes.
    private var label = FrameLabel.none
    private var scale: ProgressScale?
    /// The state of the track that `label` and `scale` belong to.
    private var serial: UInt64 = 0
    /// What extended forms have beside value and text; none in a plain form. An array, because an optional would make each of
    /// 100,000 plain topics as large.
    private var extras: [FrameExtras]

    /// - Parameter variant: A plain form is that of all plain variants.
    init(_ variant: Variant, _ prefix: FramePrefix) {
        (self.variant, self.prefix) = (variant, prefix)
        last = LastFrame(isOfText: variant.isText)
        extras = variant.isPlain ? [] : [FrameExtras(variant)]
    }

    // MARK: - Frames of samples

    /// Whether the form shows a sample's track; otherwise call `adopt` first.
    func knows(_ sample: Sample) -> Bool { serial == sample.serial }

    /// Takes over a sample's track, as this form shows it.
    mutating func adopt(_ track: Track, of sample: Sample) {
        last.writeText(with: &label)
        label = FrameLabel(track) ?? .none
        scale = track.progressScale
        serial = sample.serial
        if !extras.isEmpty { extras[0].adopt(track, shownBy: &label) }
    }

    /// Puts a frame that shows a sample, in each variant that receives frames, if it differs from the last frame.
    @inline(__always)
    mutating func put(
        _ sample: Sample, as variants: some Sequence<Variant>, on topic: TopicIndex, _ stamp: FrameStamp,
        _ buffers: inout FrameBuffers, into series: inout FrameSeries
    ) -> Outcome {
        guard let reading = reading(of: sample) else { return .left }
        let isPlain = extras.isEmpty
        if !isPlain {
            guard extras[0].areMade(for: sample) else { return .left }
            extras[0].make(reading, at: Instant(nanoseconds: stamp.unixNanoseconds), &buffers)
        }
        guard !isPlain && extras[0].areNew || !last.shows(reading, with: &label) else { return .same }
        for variant in variants where !variant.isMotion {
            guard put(reading, as: variant, on: topic, stamp, into: &series) else { return .left }
        }
        last.record(reading)
        if !isPlain { extras[0].swap() }
        return .new
    }

    /// Returns what a sample shows; nil if its frame must be made from its track.
    @inline(__always)
    private mutating func reading(of sample: Sample) -> Reading? {
        guard last.isKnownToAll, var value = sample.value else { return nil }
        var share: ProgressShare?
        if let scale {
            value = scale.bounds.hold(value)
            share = scale.share(of: value)
        }
        guard let numbers = label.numbers(of: value, share) else { return nil }
        return Reading(value: value, share: share, numbers: numbers)
    }

    @inline(__always)
    private mutating func put(
        _ reading: Reading, as variant: Variant, on topic: TopicIndex, _ stamp: FrameStamp,
        into series: inout FrameSeries
    ) -> Bool {
        if last.isOfText {
            return series.put(topic, variant, size: label.room) { room, start in
                label.put(reading.numbers, into: &room, at: start)
            }
        }
        let members = extras.first?.members
        let size = FrameEncoder.room(prefix, text: label.room) + (members?.room ?? 0)
        return series.put(topic, variant, size: size) { room, start in
            FrameEncoder.put(
                prefix, value: reading.value, reading.share, &label, showing: reading.numbers, members,
                stamp: variant.isStamped ? stamp : nil, into: &room, at: start)
        }
    }

    // MARK: - Frames of states

    /// Records that a frame shows a state. A motion's end is shown itself, not only by a text that is less precise.
    /// - Returns: The frame's audience; nil when the last frame showed the same. `append` then writes the frame.
    mutating func show(_ state: FrameState, _ buffers: inout FrameBuffers) -> FrameAudience? {
        make(state, &buffers)
        last.writeText(with: &label)
        let isExact = last.isOfText || last.hasShown(state.value)
        let isNews = !last.shows(state) || state.isFinal && !isExact || state.isWhole && areExtrasNew
        if isNews {
            last.record(state)
            if !extras.isEmpty { extras[0].keep() }
        }
        let audience = last.audience(of: state, members, isNews: isNews)
        return state.isFinal && !isExact ? .all : audience
    }

    /// Records the state that a new stream's snapshot shows. If no frame has been sent yet and none is due, it counts as the
    /// last frame. `append` then writes it.
    /// - Parameter isDue: Whether the next tick has a frame for streams that opened before.
    /// - Returns: Whether the other streams have not seen this state yet.
    mutating func begin(_ state: FrameState, isDue: Bool, _ buffers: inout FrameBuffers) -> Bool {
        guard last.isSent || isDue else {
            _ = show(state, &buffers)
            return false
        }
        make(state, &buffers)
        last.writeText(with: &label)
        guard !last.shows(state) || areExtrasNew else { return false }
        last.recordGreeting(state, members)
        return true
    }

    /// Makes what the frame of a state has beside value and text.
    mutating func make(_ state: FrameState, _ buffers: inout FrameBuffers) {
        if !extras.isEmpty { extras[0].make(state, &buffers) }
    }

    /// Appends the payload of a frame that shows a state, with what was made last beside value and text.
    func append(_ state: FrameState, as variant: Variant, _ stamp: FrameStamp?, to bytes: inout [UInt8]) {
        let stamp = variant.isStamped ? stamp : nil
        if variant.isText {
            state.appendPlainText(to: &bytes)
        } else if case .schedule(let schedule, let isHeld) = state.subject {
            ScheduleEncoder.appendFrame(
                schedule, text: state.text, isHeld: isHeld, at: state.instant, hasDisplay: variant.hasDisplay,
                stamp: stamp, to: &bytes)
        } else if let position = state.position {
            FrameEncoder.append(
                prefix, value: position, fraction: state.fraction, percent: state.percent, escapedText: state.text,
                members, stamp: stamp, to: &bytes)
        }
    }

    /// Returns the payload of a `motion` event, for subscribers that interpolate.
    static func motion(of track: Track, at now: Instant) -> [UInt8] { MotionEncoder.payload(of: track, at: now) }

    /// Forgets what was shown.
    mutating func lapse() { last.lapse() }

    private var areExtrasNew: Bool { extras.first?.areNew ?? false }
    private var members: FrameMembers { extras.first?.members ?? FrameMembers() }
}
