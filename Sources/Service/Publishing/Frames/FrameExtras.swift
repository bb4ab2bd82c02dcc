// What frames show beyond value and text for streams that asked for it: the wheels of the digits and the strings of the
// descriptor; and the frames of text alone and of readers' locales. Plain frames do not pass through here.

package import Board
package import EventStream
import Labels
package import Tween
package import Wire

/// The extended forms of each topic, and the members of their frames. Forms are independent of each other.
package struct FrameExtras {
    /// The indices of a topic's form.
    struct Place {
        var topic: Int
        var form: Int
    }

    /// The forms by topic: one for each variant that the topic is watched in, so only a few.
    private var forms: [[FrameForm]] = []
    /// The form of the members made last; nil when they belong to no topic.
    private var place: Place?
    private var scratch = FrameScratch()
    /// The members made last.
    package private(set) var members = FrameMembers()

    package init() {}

    // MARK: - Frames of samples

    /// Puts a frame in one variant that shows a sample, if it differs from the last frame.
    @inline(__always)
    mutating func putFrame(
        _ sample: Sample, on topic: TopicIndex, at place: Place, _ prefix: FramePrefix, _ stamp: FrameStamp,
        at now: Instant, into series: inout FrameSeries
    ) -> FrameLine.Outcome {
        forms[place.topic][place.form].putFrame(sample, on: topic, prefix, stamp, at: now, &scratch, into: &series)
    }

    /// Whether a form shows a sample's track; otherwise call `adopt` first.
    func knows(_ sample: Sample, _ place: Place) -> Bool { forms[place.topic][place.form].line.knows(sample) }

    /// Takes over a sample's track, as the form shows it.
    mutating func adopt(_ track: Track, of sample: Sample, _ place: Place) {
        forms[place.topic][place.form].adopt(track, of: sample)
    }

    /// Returns the place of a topic's form, which is new if need be.
    mutating func form(of topic: TopicIndex, _ variant: Variant) -> Place {
        let index = Int(topic.rawValue)
        while forms.count <= index { forms.append([]) }
        for known in forms[index].indices where forms[index][known].variant == variant {
            return Place(topic: index, form: known)
        }
        forms[index].append(FrameForm(variant))
        return Place(topic: index, form: forms[index].count - 1)
    }

    // MARK: - Frames of tracks

    /// Makes the members of a frame.
    /// - Parameters:
    ///   - topic: nil for a frame without a topic, and for variants that have no form here.
    ///   - isFinal: Whether this is the last frame of a motion: the wheels then show the digits of the position.
    package mutating func make(
        _ variant: Variant, of track: Track, showing position: Position, topic: TopicIndex?, isFinal: Bool = false,
        at now: Instant
    ) {
        clear(variant, topic: topic)
        if let style = variant.wheels { appendWheels(style, of: track, showing: position, isFinal: isFinal) }
        guard variant.hasDisplay else { return }
        members.appendDisplay(of: track, partsAt: variant.hasParts ? position : nil, at: now, &scratch.bytes)
    }

    /// Makes no members.
    mutating func clear(_ variant: Variant, topic: TopicIndex?) {
        members.removeAll()
        place = topic.flatMap { variant.isPlain ? nil : form(of: $0, variant) }
    }

    /// Records what a frame shows with the members made last.
    /// - Parameters:
    ///   - value: The number; nil for a countdown.
    ///   - isWhole: false for a frame that omits its members.
    ///   - isFinal: Whether it ends a motion, so that its number must have been shown.
    /// - Returns: The frame's audience; nil when the last frame showed the same.
    package mutating func show(
        _ text: [UInt8], fraction: Double?, value: Double? = nil, isWhole: Bool = true, isFinal: Bool = false
    ) -> FrameAudience? {
        guard let place else { return .all }
        return forms[place.topic][place.form].line.show(
            text, fraction: fraction, value: value, members, isWhole: isWhole, isFinal: isFinal)
    }

    /// Whether the last frame showed this number, in the variant of the members made last.
    func hasShown(_ value: Double) -> Bool {
        place.map { forms[$0.topic][$0.form].line.hasShown(value) } ?? false
    }

    /// Records the state that a new stream's snapshot shows. If no frame has been sent yet and none is due, it counts as the
    /// last frame.
    /// - Returns: Whether the other streams have not seen this state yet.
    mutating func begin(_ text: [UInt8], fraction: Double?, value: Double? = nil, isDue: Bool) -> Bool {
        guard let place else { return false }
        return forms[place.topic][place.form].line.begin(
            text, fraction: fraction, value: value, members, isDue: isDue)
    }

    private mutating func appendWheels(
        _ style: Variant.Wheels, of track: Track, showing position: Position, isFinal: Bool
    ) {
        guard case .ticker(let rendering) = track.rendering,
            let wheels = DigitWheels(rendering.escaped, carry: style.carry)
        else { return }
        // A paused or interrupted track rests on whole digits wherever it is, so that they can be read.
        let isTurning = track.isMoving && !isFinal
        let value = position.double
        scratch.bytes.removeAll(keepingCapacity: true)
        if isTurning, let direction = WheelDirection(style), let place, let run = track.run {
            // A new motion's wheels start from where they are.
            forms[place.topic][place.form].turn(run, at: position, rendering, direction)
            forms[place.topic][place.form].targetWheels?.layOut(at: value, into: &scratch.wheels)
            wheels.appendJSON(scratch.wheels, showing: value, &scratch.parts, to: &scratch.bytes)
        } else {
            if let place { forms[place.topic][place.form].stopTurning() }
            switch position {
            case .exact(let exact): wheels.appendJSON(exact, &scratch.parts, to: &scratch.bytes)
            case .moving where isTurning: wheels.appendJSON(value, &scratch.parts, to: &scratch.bytes)
            case .moving: wheels.appendJSON(resting: value, &scratch.parts, to: &scratch.bytes)
            }
        }
        let json = scratch.bytes
        members.appendWheels(room: json.count) { $0.put(json.span, at: $1) }
        members.appendDigits(of: rendering.plain)
    }

    // MARK: - Subscribers

    /// Forgets a topic that has no subscribers left.
    mutating func forget(_ topic: TopicIndex) {
        if forms.indices.contains(Int(topic.rawValue)) { forms[Int(topic.rawValue)] = [] }
    }

    /// Forgets the variants of a topic that have no subscribers left.
    /// - Parameter localised: The watched variants in the locales of readers.
    mutating func keep(_ variants: VariantSet, and localised: [Variant], of topic: TopicIndex) {
        guard forms.indices.contains(Int(topic.rawValue)) else { return }
        forms[Int(topic.rawValue)].removeAll { form in
            !variants.contains { $0 == form.variant } && !localised.contains(form.variant)
        }
    }

    /// Forgets what was shown in one variant, so that the next frame counts as new.
    mutating func lapse(_ topic: TopicIndex, _ variant: Variant) {
        guard forms.indices.contains(Int(topic.rawValue)) else { return }
        forms[Int(topic.rawValue)].removeAll { $0.variant == variant }
    }
}
