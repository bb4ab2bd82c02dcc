// The frames of one topic in an extended form: with more than value and text, as text alone, or in a reader's locale.

import Base
import Board
import EventStream
import Labels
import Tween
import Wire

/// What a topic's subscribers in one form were last sent, and how the next frame is made.
struct FrameForm {
    /// How many times as much work a frame takes if it is made from its track: its label may have to be compiled again.
    static let workFromTrack = 3

    let variant: Variant
    /// How wheels turn towards a target; nil for those that follow the value.
    private let direction: WheelDirection?
    var line = FrameLine()
    /// The wheels that turn towards a target, in forms that have them.
    private(set) var targetWheels: TargetWheels?
    private var members = FrameMembers()
    private var hasWheels = false
    /// The wheels of the label.
    private var wheels = FrameWheels.none
    /// Whether the wheels' digits aren't ASCII.
    private var hasOtherDigits = false
    /// Whether frames are made from samples.
    private var isSampled = false
    /// The track's rendering, run and, if its display strings are shown, the whole track: copied once, not for each frame.
    private var rendering: Rendering?
    private var run: Run?
    private var track: Track?
    /// Where the run's motion starts.
    private var from: Double?

    init(_ variant: Variant) {
        self.variant = variant
        direction = variant.wheels.flatMap(WheelDirection.init)
        line.isOfText = variant.isText
    }

    // MARK: - Samples

    /// Takes over a sample's track, as this form shows it.
    mutating func adopt(_ track: Track, of sample: Sample) {
        line.adopt(track, of: sample)
        (run, from) = (track.run, track.run?.motion.from)
        self.track = variant.hasDisplay ? track : nil
        guard rendering != track.rendering else { return }
        rendering = track.rendering
        hasWheels = false
        switch track.rendering {
        // A sample is written with the escaped label, which is the text alone if nothing in it is escaped or left out.
        case .progress(let progress): isSampled = !variant.isText || progress.plain == progress.escaped && isWhole
        case .ticker(let ticker):
            isSampled = !variant.isText || ticker.plain == ticker.escaped && isWhole
            guard let style = variant.wheels, ticker.escaped.hasWheels else { return }
            let compiled = FrameWheels(ticker.escaped, carry: style.carry)
            (isSampled, hasWheels, wheels) = (compiled != nil, compiled != nil, compiled ?? .none)
            hasOtherDigits = ticker.plain.plan.digits != .ascii
        }
    }

    /// Whether the label is shown as it is.
    private var isWhole: Bool {
        mutating get {
            var text: [UInt8] = []
            line.label.append(FrameLabel.Numbers(), to: &text)
            return !ControlCharacters.areIn(text)
        }
    }

    /// Puts a frame that shows a sample, if it differs from the last frame.
    mutating func putFrame(
        _ sample: Sample, on topic: TopicIndex, _ prefix: FramePrefix, _ stamp: FrameStamp, at now: Instant,
        _ scratch: inout FrameScratch, into series: inout FrameSeries
    ) -> FrameLine.Outcome {
        // Where it starts, a number still shows its exact digits; a sample has only the double.
        guard isSampled, sample.value != from, let reading = line.reading(of: sample) else { return .left }
        makeMembers(reading, at: now, &scratch)
        guard !line.has(members) || !line.shows(reading) else { return .same }
        guard put(reading, on: topic, prefix, variant.isStamped ? stamp : nil, into: &series) else { return .left }
        line.record(reading)
        line.swapMembers(&members)
        return .new
    }

    private mutating func put(
        _ reading: FrameLine.Reading, on topic: TopicIndex, _ prefix: FramePrefix, _ stamp: FrameStamp?,
        into series: inout FrameSeries
    ) -> Bool {
        if variant.isText {
            return series.put(topic, variant, size: line.label.room) { room, start in
                line.label.put(reading.numbers, into: &room, at: start)
            }
        }
        let size = FrameEncoder.room(prefix, text: line.label.room) + members.room
        return series.put(topic, variant, size: size) { room, start in
            FrameEncoder.put(
                prefix, value: reading.value, reading.share, &line.label, showing: reading.numbers, members,
                stamp: stamp, into: &room, at: start)
        }
    }

    /// Makes the members of a frame.
    private mutating func makeMembers(_ reading: FrameLine.Reading, at now: Instant, _ scratch: inout FrameScratch) {
        members.removeAll()
        appendWheels(reading, &scratch)
        guard let track else { return }
        members.appendDisplay(
            of: track, partsAt: variant.hasParts ? .moving(reading.value) : nil, at: now, &scratch.bytes)
    }

    private mutating func appendWheels(_ reading: FrameLine.Reading, _ scratch: inout FrameScratch) {
        guard hasWheels else { return }
        if let direction {
            if targetWheels?.animation != run?.animation, let run, case .ticker(let rendering)? = rendering {
                turn(run, at: .moving(reading.value), rendering, direction)
            }
            targetWheels?.layOut(at: reading.value, into: &scratch.wheels)
            members.appendWheels(room: wheels.room(scratch.wheels.count)) { out, start in
                wheels.put(scratch.wheels, showing: reading.numbers, into: &out, at: start)
            }
        } else {
            members.appendWheels(room: wheels.room) { out, start in
                wheels.put(reading.value, showing: reading.numbers, into: &out, at: start)
            }
        }
        if hasOtherDigits, case .ticker(let rendering)? = rendering { members.appendDigits(of: rendering.plain) }
    }

    // MARK: - Wheels

    /// Makes the wheels turn towards a run's target.
    mutating func turn(_ run: Run, at position: Position, _ rendering: TickerRendering, _ direction: WheelDirection) {
        guard targetWheels?.animation != run.animation else { return }
        targetWheels = TargetWheels(run, after: targetWheels, at: position, rendering.plain.plan, direction)
    }

    /// Makes the wheels stand on the digits shown.
    mutating func stopTurning() { targetWheels = nil }
}

/// Buffers that frames reuse.
struct FrameScratch {
    var bytes: [UInt8] = []
    var wheels: [DigitWheel] = []
    var parts: [WheelPart] = []
}

extension Variant.Wheels {
    /// How lower wheels move higher ones.
    var carry: DigitWheels.Carry { self == .continuous ? .continuous : .odometer }
}

extension Variant {
    /// The work of making a frame; a plain one is 1.
    var work: Int { 1 + (locale > 0 ? 2 : 0) + (wheels == nil ? 0 : 7) + (hasDisplay ? 7 : 0) }
}
