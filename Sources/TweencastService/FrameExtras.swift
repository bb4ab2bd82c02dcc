// What frames carry beyond value and text for streams that asked: the wheels of the digits, the strings of the
// descriptor. Not on the path of plain frames.

import Board
import EventStream
import Labels
import Tween
import Wire

/// Extra members of frames, and what was sent of them last.
struct FrameExtras {
    private struct Key: Hashable {
        var topic: Int32
        var variant: UInt8
    }

    /// Digits on their way to a motion's target, each wheel on its own way.
    private struct Turning {
        var animation: UInt64
        var transition: WheelTransition
        var start: Double
        var end: Double
        var target: ExactDecimal

        func wheels(at value: Double) -> [DigitWheel] {
            transition.wheels(at: end == start ? 1 : (value - start) / (end - start))
        }
    }

    /// The extras of the last frame, by topic and variant: frames that show the same are not sent.
    private var sent: [Key: [UInt8]] = [:]
    private var turnings: [Key: Turning] = [:]
    private var parts: [WheelPart] = []
    /// The members made last, each with a comma before it.
    private(set) var bytes: [UInt8] = []

    /// Makes the members of a frame.
    /// - Parameters:
    ///   - topic: nil for a frame that belongs to no topic yet.
    ///   - isFinal: The last frame of a motion: wheels stand on the digits of the position.
    ///   - isBeginning: The state that one stream begins with: others wait for what differs from the last frame.
    /// - Returns: Whether they differ from those of the topic's last frame in this variant.
    mutating func make(
        _ variant: Variant, of track: Track, showing position: Position, topic: TopicIndex?, isFinal: Bool = false,
        isBeginning: Bool = false, at now: Instant
    ) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        guard variant.wheels != nil || variant.hasDisplay else { return false }
        let key = Key(topic: topic?.rawValue ?? -1, variant: variant.rawValue)
        if let style = variant.wheels {
            appendWheels(style, of: track, showing: position, key: topic == nil || isFinal ? nil : key)
        }
        if variant.hasDisplay {
            bytes.append(contentsOf: ",\"display\":".utf8)
            TrackEncoder.appendDisplay(of: track, at: now, to: &bytes)
        }
        guard topic != nil else { return true }
        let last = sent[key]
        if last == nil || !isBeginning { sent[key] = bytes }
        return last != bytes
    }

    /// Makes none.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    /// Forgets a topic that nobody watches any more.
    mutating func forget(_ topic: TopicIndex) {
        guard !sent.isEmpty else { return }
        sent = sent.filter { $0.key.topic != topic.rawValue }
        turnings = turnings.filter { $0.key.topic != topic.rawValue }
    }

    private mutating func appendWheels(
        _ style: Variant.Wheels, of track: Track, showing position: Position, key: Key?
    ) {
        guard case .ticker(let face) = track.face,
            let wheels = DigitWheels(face.escaped, carry: style == .continuous ? .continuous : .odometer)
        else { return }
        bytes.append(contentsOf: ",\"wheels\":".utf8)
        if let direction = WheelDirection(style), let key, let run = track.run {
            let value = position.double
            let turning = turning(of: run, at: value, face.plain.plan, direction, key: key)
            wheels.appendJSON(turning.wheels(at: value), towards: turning.target, to: &bytes)
        } else {
            if let key { turnings[key] = nil }
            switch position {
            case .exact(let value): wheels.appendJSON(value, &parts, to: &bytes)
            case .moving(let value): wheels.appendJSON(value, &parts, to: &bytes)
            }
        }
        guard face.plain.plan.digits != .ascii else { return }
        bytes.append(contentsOf: ",\"digits\":\"".utf8)
        bytes.append(contentsOf: face.plain.plan.digits.bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// The turning of the present motion; a new motion's sets out from where the wheels stand.
    private mutating func turning(
        of run: Run, at value: Double, _ plan: NumberPlan, _ direction: WheelDirection, key: Key
    ) -> Turning {
        if let known = turnings[key], known.animation == run.animation { return known }
        let target = run.request.target
        // Where nobody saw them stand, they stand on the digits shown.
        let standing =
            turnings[key]?.wheels(at: value)
            ?? WheelTransition(from: [], to: ExactDecimal(value) ?? target, plan, direction: direction).wheels(at: 1)
        let turning = Turning(
            animation: run.animation,
            transition: WheelTransition(from: standing, to: target, plan, direction: direction), start: value,
            end: target.double, target: target)
        turnings[key] = turning
        return turning
    }
}

extension WheelDirection {
    /// Nil for wheels that follow the value.
    fileprivate init?(_ style: Variant.Wheels) {
        switch style {
        case .odometer, .continuous: return nil
        case .up: self = .up
        case .down: self = .down
        case .shortest: self = .shortest
        }
    }
}
