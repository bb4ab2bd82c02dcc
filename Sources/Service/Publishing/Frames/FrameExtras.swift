// What an extended form shows beside value and text: the wheels of the digits, and the strings of the descriptor. Also which
// of its frames can be made from samples. Plain frames do not pass through here.

import Base
import Board
import EventStream
import Labels
import Tween
import Wire

/// The members of one extended form's frames, and how the next ones are made.
struct FrameExtras {
    private let variant: Variant
    /// How wheels turn towards a target; nil for those that follow the value.
    private let direction: WheelDirection?
    /// The members made last, and those of the last frame.
    private(set) var members = FrameMembers()
    private var shown = FrameMembers()
    /// The wheels that turn towards a target, in forms that have them.
    private var targetWheels: TargetWheels?
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
    }

    // MARK: - The last frame

    /// Whether the members made last differ from those of the last frame.
    var areNew: Bool { members != shown }

    /// Records that a frame shows the members made last.
    mutating func keep() { shown = members }

    /// Records the same, and makes the next ones in the storage of those before.
    mutating func swap() { Swift.swap(&shown, &members) }

    // MARK: - Samples

    /// Takes over a sample's track, as the form shows it.
    mutating func adopt(_ track: Track, shownBy label: inout FrameLabel) {
        (run, from) = (track.run, track.run?.motion.from)
        self.track = variant.hasDisplay ? track : nil
        guard rendering != track.rendering else { return }
        rendering = track.rendering
        hasWheels = false
        switch track.rendering {
        // A sample is written with the escaped label, which is the text alone if nothing in it is escaped or left out.
        case .progress(let progress):
            isSampled = !variant.isText || progress.plain == progress.escaped && Self.isWhole(&label)
        case .ticker(let ticker):
            isSampled = !variant.isText || ticker.plain == ticker.escaped && Self.isWhole(&label)
            guard let style = variant.wheels, ticker.escaped.hasWheels else { return }
            let compiled = FrameWheels(ticker.escaped, carry: style.carry)
            (isSampled, hasWheels, wheels) = (compiled != nil, compiled != nil, compiled ?? .none)
            hasOtherDigits = ticker.plain.plan.digits != .ascii
        }
    }

    /// Whether a text alone shows all of a label.
    private static func isWhole(_ label: inout FrameLabel) -> Bool {
        var text: [UInt8] = []
        label.append(FrameLabel.Numbers(), to: &text)
        return !ControlCharacters.areIn(text)
    }

    /// Whether a sample's frame needs nothing else. Where it starts, a number still shows its exact digits; a sample has only the
    /// double.
    func areMade(for sample: Sample) -> Bool { isSampled && sample.value != from }

    /// Makes the members of a sample's frame.
    mutating func make(_ reading: FrameForm.Reading, at now: Instant, _ buffers: inout FrameBuffers) {
        members.removeAll()
        appendWheels(reading, &buffers)
        guard let track else { return }
        members.appendDisplay(
            of: track, partsAt: variant.hasParts ? .moving(reading.value) : nil, at: now, &buffers.bytes)
    }

    private mutating func appendWheels(_ reading: FrameForm.Reading, _ buffers: inout FrameBuffers) {
        guard hasWheels else { return }
        if let direction {
            if targetWheels?.animation != run?.animation, let run, case .ticker(let rendering)? = rendering {
                turn(run, at: .moving(reading.value), rendering, direction)
            }
            targetWheels?.layOut(at: reading.value, into: &buffers.wheels)
            members.appendWheels(room: wheels.room(buffers.wheels.count)) { out, start in
                wheels.put(buffers.wheels, showing: reading.numbers, into: &out, at: start)
            }
        } else {
            members.appendWheels(room: wheels.room) { out, start in
                wheels.put(reading.value, showing: reading.numbers, into: &out, at: start)
            }
        }
        if hasOtherDigits, case .ticker(let rendering)? = rendering { members.appendDigits(of: rendering.plain) }
    }

    // MARK: - States

    /// Makes the members of a state's frame; none for a countdown, and for a resource that is gone.
    mutating func make(_ state: FrameState, _ buffers: inout FrameBuffers) {
        members.removeAll()
        guard let track = state.track, let position = state.position else { return }
        if let style = variant.wheels {
            appendWheels(style, of: track, showing: position, isFinal: state.isFinal, &buffers)
        }
        guard variant.hasDisplay else { return }
        members.appendDisplay(
            of: track, partsAt: variant.hasParts ? position : nil, at: state.instant, &buffers.bytes)
    }

    private mutating func appendWheels(
        _ style: Variant.Wheels, of track: Track, showing position: Position, isFinal: Bool,
        _ buffers: inout FrameBuffers
    ) {
        guard case .ticker(let rendering) = track.rendering,
            let wheels = DigitWheels(rendering.escaped, carry: style.carry)
        else { return }
        // A paused or interrupted track rests on whole digits wherever it is, so that they can be read.
        let isTurning = track.isMoving && !isFinal
        let value = position.double
        buffers.bytes.removeAll(keepingCapacity: true)
        if isTurning, let direction, let run = track.run {
            turn(run, at: position, rendering, direction)
            targetWheels?.layOut(at: value, into: &buffers.wheels)
            wheels.appendJSON(buffers.wheels, showing: value, &buffers.parts, to: &buffers.bytes)
        } else {
            targetWheels = nil
            switch position {
            case .exact(let exact): wheels.appendJSON(exact, &buffers.parts, to: &buffers.bytes)
            case .moving where isTurning: wheels.appendJSON(value, &buffers.parts, to: &buffers.bytes)
            case .moving: wheels.appendJSON(resting: value, &buffers.parts, to: &buffers.bytes)
            }
        }
        let json = buffers.bytes
        members.appendWheels(room: json.count) { $0.put(json.span, at: $1) }
        members.appendDigits(of: rendering.plain)
    }

    /// Makes the wheels turn towards a run's target, from where they are.
    private mutating func turn(
        _ run: Run, at position: Position, _ rendering: TickerRendering, _ direction: WheelDirection
    ) {
        guard targetWheels?.animation != run.animation else { return }
        targetWheels = TargetWheels(run, after: targetWheels, at: position, rendering.plain.plan, direction)
    }
}

/// Buffers that frames reuse.
struct FrameBuffers {
    var bytes: [UInt8] = []
    var wheels: [DigitWheel] = []
    var parts: [WheelPart] = []
}

extension Variant.Wheels {
    /// How lower wheels move higher ones.
    fileprivate var carry: DigitWheels.Carry { self == .continuous ? .continuous : .odometer }
}

extension Variant {
    /// The work of making a frame; a plain one is 1.
    var work: Int { 1 + (locale > 0 ? 2 : 0) + (wheels == nil ? 0 : 7) + (hasDisplay ? 7 : 0) }
}
