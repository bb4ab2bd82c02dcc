// What frames carry beyond value and text for streams that asked for it: the wheels of the digits and the strings of the
// descriptor. Plain frames do not pass through here.

package import Board
package import EventStream
import Labels
package import Tween
import Wire

/// The extra members of frames, and what each topic last sent in each variant. Variants are independent of each other.
package struct FrameExtras {
    /// Digits that turn towards a motion's target, each wheel by itself. If the sign changes on the way, they pass zero;
    /// otherwise 5 would reach -5 without turning.
    fileprivate struct Turning {
        let animation: UInt64
        private let start: Double
        private let end: Double
        private let transition: WheelTransition
        private let fromZero: WheelTransition?

        init(_ run: Run, from standing: [DigitWheel], at start: Double, _ plan: NumberPlan, _ direction: WheelDirection)
        {
            let target = run.request.target
            (animation, self.start, end) = (run.animation, start, target.double)
            guard start * end < 0 else {
                transition = WheelTransition(from: standing, to: target, plan, direction: direction)
                fromZero = nil
                return
            }
            transition = WheelTransition(from: standing, to: .zero, plan, direction: direction)
            fromZero = WheelTransition(from: transition.wheels(at: 1), to: target, plan, direction: direction)
        }

        /// Computes where the wheels are at a value. Empties and fills `wheels` to reuse its storage.
        func layOut(at value: Double, into wheels: inout [DigitWheel]) {
            guard let fromZero else {
                return transition.layOut(end == start ? 1 : (value - start) / (end - start), into: &wheels)
            }
            if value * end > 0 {
                fromZero.layOut(value / end, into: &wheels)
            } else {
                transition.layOut(1 - value / start, into: &wheels)
            }
        }
    }

    /// What a topic's subscribers in one variant were last sent.
    fileprivate struct Line {
        let variant: Variant
        var hasShown = false
        var text: [UInt8] = []
        var fraction: Double?
        var value: Double?
        var members: [UInt8] = []
        var ahead = GreetedState()
        fileprivate var turning: Turning?
    }

    /// The indices of a topic's line.
    private struct Place {
        var topic: Int
        var line: Int
    }

    /// The lines by topic: one for each variant that the topic is watched in, so only a few.
    private var lines: [[Line]] = []
    /// The line of the members made last; nil when they belong to no topic.
    private var place: Place?
    private var wheels: [DigitWheel] = []
    private var parts: [WheelPart] = []
    private var following = FollowingWheels()
    /// The members made last, each preceded by a comma.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Makes the members of a frame.
    /// - Parameters:
    ///   - topic: nil for a frame without a topic, and for variants that have no line here.
    ///   - isFinal: Whether this is the last frame of a motion: the wheels then show the digits of the position.
    package mutating func make(
        _ variant: Variant, of track: Track, showing position: Position, topic: TopicIndex?, isFinal: Bool = false,
        at now: Instant
    ) {
        clear(variant, topic: topic)
        if let style = variant.wheels { appendWheels(style, of: track, showing: position, isFinal: isFinal) }
        if variant.hasDisplay {
            bytes.append(contentsOf: ",\"display\":".utf8)
            TrackEncoder.appendDisplay(
                of: track, partsAt: variant.hasParts ? position : nil, at: now, to: &bytes)
        }
    }

    /// Makes no members.
    mutating func clear(_ variant: Variant, topic: TopicIndex?) {
        bytes.removeAll(keepingCapacity: true)
        place = topic.flatMap { variant.isPlain ? nil : line(of: $0, variant) }
    }

    /// Records what a frame shows with the members made last.
    /// - Parameters:
    ///   - value: The number; nil for a countdown.
    ///   - isWhole: false for a frame that omits its members.
    ///   - isForced: Whether the frame counts as new even if it shows the same as the last one.
    /// - Returns: The frame's audience; nil when the last frame showed the same.
    package mutating func show(
        _ text: [UInt8], fraction: Double?, value: Double? = nil, isWhole: Bool = true, isForced: Bool = false
    ) -> FrameAudience? {
        guard let place else { return .all }
        return lines[place.topic][place.line].show(text, fraction, value, bytes, isWhole: isWhole, isForced: isForced)
    }

    /// Whether the last frame showed this number, in the variant of the members made last.
    func hasShown(_ value: Double) -> Bool {
        guard let place else { return false }
        let line = lines[place.topic][place.line]
        return line.hasShown && line.value == value
    }

    /// Records the state that a new stream's snapshot shows. If no frame has been sent yet, it counts as the last frame.
    /// - Returns: Whether the other streams have not seen this state yet.
    mutating func begin(_ text: [UInt8], fraction: Double?, value: Double? = nil) -> Bool {
        guard let place else { return false }
        return lines[place.topic][place.line].begin(text, fraction, value, bytes)
    }

    /// Forgets a topic that has no subscribers left.
    mutating func forget(_ topic: TopicIndex) {
        if lines.indices.contains(Int(topic.rawValue)) { lines[Int(topic.rawValue)] = [] }
    }

    /// Forgets the variants of a topic that have no subscribers left.
    /// - Parameter localised: The watched variants in the locales of readers.
    mutating func keep(_ variants: VariantSet, and localised: [Variant], of topic: TopicIndex) {
        guard lines.indices.contains(Int(topic.rawValue)) else { return }
        lines[Int(topic.rawValue)].removeAll { line in
            !variants.contains { $0 == line.variant } && !localised.contains(line.variant)
        }
    }

    /// Forgets what was shown in one variant, so that the next frame counts as new.
    mutating func lapse(_ topic: TopicIndex, _ variant: Variant) {
        guard lines.indices.contains(Int(topic.rawValue)) else { return }
        lines[Int(topic.rawValue)].removeAll { $0.variant == variant }
    }

    private mutating func line(of topic: TopicIndex, _ variant: Variant) -> Place {
        let index = Int(topic.rawValue)
        while lines.count <= index { lines.append([]) }
        if let known = lines[index].firstIndex(where: { $0.variant == variant }) {
            return Place(topic: index, line: known)
        }
        lines[index].append(Line(variant: variant))
        return Place(topic: index, line: lines[index].count - 1)
    }

    private mutating func appendWheels(
        _ style: Variant.Wheels, of track: Track, showing position: Position, isFinal: Bool
    ) {
        guard case .ticker(let rendering) = track.rendering, rendering.escaped.hasWheels else { return }
        bytes.append(contentsOf: ",\"wheels\":".utf8)
        // A paused or interrupted track rests on whole digits wherever it is, so that they can be read.
        let isTurning = track.isMoving && !isFinal
        if isTurning, let direction = WheelDirection(style), let place, let run = track.run {
            appendTurning(rendering, run, at: position, direction, place)
        } else {
            if let place { lines[place.topic][place.line].turning = nil }
            let carry: DigitWheels.Carry = style == .continuous ? .continuous : .odometer
            following.append(rendering, carry, position, isTurning: isTurning, to: &bytes)
        }
        guard rendering.plain.plan.digits != .ascii else { return }
        bytes.append(contentsOf: ",\"digits\":\"".utf8)
        bytes.append(contentsOf: rendering.plain.plan.digits.bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends the wheels of the current motion. A new motion's wheels start from where they are.
    private mutating func appendTurning(
        _ rendering: TickerRendering, _ run: Run, at position: Position, _ direction: WheelDirection, _ place: Place
    ) {
        let value = position.double
        lines[place.topic][place.line].turn(run, at: position, rendering.plain.plan, direction)
        guard let turning = lines[place.topic][place.line].turning else { return }
        turning.layOut(at: value, into: &wheels)
        DigitWheels(rendering.escaped)?.appendJSON(wheels, showing: value, &parts, to: &bytes)
    }
}

extension FrameExtras.Line {
    /// Records what a frame shows.
    /// - Returns: The frame's audience; nil when the last frame showed the same.
    fileprivate mutating func show(
        _ text: [UInt8], _ fraction: Double?, _ value: Double?, _ members: [UInt8], isWhole: Bool, isForced: Bool
    ) -> FrameAudience? {
        let isSame = hasShown && self.fraction == fraction && self.text == text
        let isNews = isForced || !isSame || isWhole && self.members != members
        if isNews { record(text, fraction, value, members) }
        return ahead.take(text, fraction, members, isNews: isNews)
    }

    /// Records the state that a new stream's snapshot shows.
    /// - Returns: Whether the other streams have not seen this state yet.
    fileprivate mutating func begin(
        _ text: [UInt8], _ fraction: Double?, _ value: Double?, _ members: [UInt8]
    ) -> Bool {
        guard hasShown else {
            record(text, fraction, value, members)
            return false
        }
        guard self.fraction != fraction || self.text != text || self.members != members else { return false }
        ahead.record(text, fraction, members)
        return true
    }

    fileprivate mutating func record(_ text: [UInt8], _ fraction: Double?, _ value: Double?, _ members: [UInt8]) {
        // Reuses the storage: nearly every frame is as long as the last one.
        self.text.replaceSubrange(self.text.indices, with: text)
        self.members.replaceSubrange(self.members.indices, with: members)
        (self.fraction, self.value) = (fraction, value)
        hasShown = true
    }

    /// Makes the wheels turn towards a run's target.
    fileprivate mutating func turn(_ run: Run, at position: Position, _ plan: NumberPlan, _ direction: WheelDirection) {
        guard turning?.animation != run.animation else { return }
        let value = position.double
        var standing: [DigitWheel] = []
        if let turning {
            turning.layOut(at: value, into: &standing)
        } else {
            // If no stream has seen the wheels yet, they start on the digits shown.
            let shown: ExactDecimal? = if case .exact(let exact) = position { exact } else { ExactDecimal(value) }
            standing = WheelTransition(from: [], to: shown ?? run.request.target, plan, direction: direction)
                .wheels(at: 1)
        }
        turning = FrameExtras.Turning(run, from: standing, at: value, plan, direction)
    }
}

extension Variant {
    /// The work of making a frame; a frame of text alone is 1.
    var work: Int { 1 + (locale > 0 ? 2 : 0) + (wheels == nil ? 0 : 7) + (hasDisplay ? 7 : 0) }
}

extension WheelDirection {
    /// Creates a direction; nil for wheels that follow the value.
    fileprivate init?(_ style: Variant.Wheels) {
        switch style {
        case .odometer, .continuous: return nil
        case .up: self = .up
        case .down: self = .down
        case .shortest: self = .shortest
        case .strip: self = .strip
        }
    }
}
