// What the last frame showed to a topic's subscribers in one form, and the label that shows the next: a frame equal to its
// predecessor is not sent.

import Board
import EventStream
import Labels
import Tween
import Wire

/// The frames of one topic in one form.
struct FrameLine {
    /// The outcome of putting a frame.
    enum Outcome {
        /// The frame was put.
        case new
        /// The last frame showed the same.
        case same
        /// The frame must be made from its track; nothing has changed.
        case left
    }

    /// What a sample shows.
    struct Reading {
        var value: Double
        var share: ProgressShare?
        var numbers: FrameLabel.Numbers
    }

    /// The text of the last frame, escaped for JSON; out of date while `showsNumbers` is true.
    private var text: [UInt8] = []
    private var fraction: Double?
    /// Whether frames are texts alone, so that another fraction makes no other frame.
    var isOfText = false
    /// The number of the last frame.
    private var value: Double?
    private var members = FrameMembers()
    /// Whether a frame was sent since the topic has subscribers in this form.
    private var hasShown = false
    /// Whether the last frame showed `numbers` in `label`. Comparing numbers is cheaper than comparing texts.
    private var showsNumbers = false
    private var numbers = FrameLabel.Numbers()
    /// The label of the track's frames. Variable only so that it is used in place without a copy.
    var label = FrameLabel.none
    private var scale: ProgressScale?
    private var ahead = GreetedState()
    /// The state of the track that `label` and `scale` belong to.
    private var serial: UInt64 = 0

    /// Whether the last frame showed this number; its text is less precise.
    func hasShown(_ value: Double) -> Bool { hasShown && self.value == value }

    /// Records what a frame shows.
    /// - Parameters:
    ///   - isWhole: false for a frame that omits its members.
    ///   - isFinal: Whether it ends a motion: then the number is shown itself, not only by a text that is less precise.
    /// - Returns: The frame's audience; nil when the last frame showed the same.
    mutating func show(
        _ text: [UInt8], fraction: Double?, value: Double?, _ members: FrameMembers = FrameMembers(),
        isWhole: Bool = true, isFinal: Bool = false
    ) -> FrameAudience? {
        recordText()
        let fraction = isOfText ? nil : fraction
        let isSame = hasShown && self.fraction == fraction && self.text == text
        let isRounded = isFinal && !isOfText && self.value != value
        let isNews = isRounded || !isSame || isWhole && self.members != members
        if isNews {
            self.text.removeAll(keepingCapacity: true)
            self.text.append(contentsOf: text)
            (self.fraction, self.value, self.members) = (fraction, value, members)
            hasShown = true
        }
        return ahead.take(text, fraction, members, isNews: isNews)
    }

    /// Records the state that a new stream's snapshot shows. If no frame has been sent yet and none is due, it counts as the
    /// last frame.
    /// - Parameter isDue: Whether the next tick has a frame for streams that opened before.
    /// - Returns: Whether the other streams have not seen this state yet.
    mutating func begin(
        _ text: [UInt8], fraction: Double?, value: Double?, _ members: FrameMembers = FrameMembers(), isDue: Bool
    ) -> Bool {
        guard hasShown || isDue else {
            _ = show(text, fraction: fraction, value: value, members)
            return false
        }
        recordText()
        let fraction = isOfText ? nil : fraction
        let isShown = hasShown && self.fraction == fraction && self.text == text && self.members == members
        guard !isShown else { return false }
        ahead.record(text, fraction, members)
        return true
    }

    /// Forgets what was shown.
    mutating func lapse() {
        hasShown = false
        showsNumbers = false
    }

    /// Writes the text of the last numbers.
    private mutating func recordText() {
        guard showsNumbers else { return }
        text.removeAll(keepingCapacity: true)
        label.append(numbers, to: &text)
        showsNumbers = false
    }

    // MARK: - Samples

    /// Whether the label belongs to a sample's track; otherwise call `adopt` first.
    func knows(_ sample: Sample) -> Bool { serial == sample.serial }

    /// Takes over the label of a sample's track.
    mutating func adopt(_ track: Track, of sample: Sample) {
        recordText()
        label = FrameLabel(track) ?? .none
        scale = track.progressScale
        serial = sample.serial
    }

    /// Returns what a sample shows; nil if its frame must be made from its track.
    @inline(__always)
    mutating func reading(of sample: Sample) -> Reading? {
        guard ahead.isEmpty, var value = sample.value else { return nil }
        var share: ProgressShare?
        if let scale {
            value = scale.bounds.hold(value)
            share = scale.share(of: value)
        }
        guard let numbers = label.numbers(of: value, share) else { return nil }
        return Reading(value: value, share: share, numbers: numbers)
    }

    /// Whether the last frame showed the text and fraction of a reading.
    @inline(__always)
    mutating func shows(_ reading: Reading) -> Bool {
        guard hasShown, isOfText || fraction == reading.share?.fraction else { return false }
        if showsNumbers, numbers == reading.numbers { return true }
        // Other numbers make another text, unless they can run together or the label was another.
        return !(showsNumbers && label.isUnambiguous) && showsText(of: reading.numbers)
    }

    /// Whether the last frame showed the text of these numbers; if so, records them as its numbers.
    private mutating func showsText(of numbers: FrameLabel.Numbers) -> Bool {
        recordText()
        var text: [UInt8] = []
        label.append(numbers, to: &text)
        guard text == self.text else { return false }
        (self.numbers, showsNumbers) = (numbers, true)
        return true
    }

    /// Whether the last frame had these members.
    func has(_ members: FrameMembers) -> Bool { self.members == members }

    /// Records what a frame shows.
    @inline(__always)
    mutating func record(_ reading: Reading) {
        (numbers, fraction, value) = (reading.numbers, isOfText ? nil : reading.share?.fraction, reading.value)
        (showsNumbers, hasShown) = (true, true)
    }

    /// Records the members of the last frame, and returns the storage of those before.
    mutating func swapMembers(_ members: inout FrameMembers) { swap(&self.members, &members) }
}
