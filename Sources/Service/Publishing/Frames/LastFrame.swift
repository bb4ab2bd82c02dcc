// What the last frame showed to a topic's subscribers in one form: a frame equal to its predecessor is not sent.

import Board
import EventStream
import Labels
import Tween
import Wire

/// The last frame in one form. What it had beside value and text is in `FrameExtras`.
struct LastFrame {
    /// Whether frames are texts alone, so that another fraction makes no other frame.
    let isOfText: Bool
    /// The text, escaped for JSON; out of date while `showsNumbers` is true.
    private var text: [UInt8] = []
    private var fraction: Double?
    private var value: Double?
    /// Whether a frame was sent since the topic has subscribers in this form.
    private(set) var isSent = false
    /// Whether it showed `numbers` in the form's label. Comparing numbers is cheaper than comparing texts.
    private var showsNumbers = false
    private var numbers = FrameLabel.Numbers()
    private var ahead = GreetedState()

    init(isOfText: Bool) { self.isOfText = isOfText }

    /// Whether no subscriber was shown another state in its snapshot.
    var isKnownToAll: Bool { ahead.isEmpty }

    /// Whether it showed this number; its text is less precise.
    func hasShown(_ value: Double?) -> Bool { isSent && self.value == value }

    /// Forgets what was shown.
    mutating func lapse() {
        isSent = false
        showsNumbers = false
    }

    /// Writes the text of the last numbers. Call it before the label changes, and before another text is compared.
    mutating func writeText(with label: inout FrameLabel) {
        guard showsNumbers else { return }
        text.removeAll(keepingCapacity: true)
        label.append(numbers, to: &text)
        showsNumbers = false
    }

    // MARK: - Samples

    /// Whether it showed the text and fraction of a reading.
    @inline(__always)
    mutating func shows(_ reading: FrameForm.Reading, with label: inout FrameLabel) -> Bool {
        guard isSent, isOfText || fraction == reading.share?.fraction else { return false }
        if showsNumbers, numbers == reading.numbers { return true }
        // Other numbers make another text, unless they can run together or the label was another.
        return !(showsNumbers && label.isUnambiguous) && showsText(of: reading.numbers, with: &label)
    }

    /// Whether it showed the text of these numbers; if so, records them as its numbers.
    private mutating func showsText(of numbers: FrameLabel.Numbers, with label: inout FrameLabel) -> Bool {
        writeText(with: &label)
        var text: [UInt8] = []
        label.append(numbers, to: &text)
        guard text == self.text else { return false }
        (self.numbers, showsNumbers) = (numbers, true)
        return true
    }

    /// Records that a frame shows a reading.
    @inline(__always)
    mutating func record(_ reading: FrameForm.Reading) {
        (numbers, fraction, value) = (reading.numbers, isOfText ? nil : reading.share?.fraction, reading.value)
        (showsNumbers, isSent) = (true, true)
    }

    // MARK: - States

    /// Whether it showed the text and fraction of a state.
    func shows(_ state: FrameState) -> Bool { isSent && fraction == self.fraction(of: state) && text == state.text }

    /// Records that a frame shows a state.
    mutating func record(_ state: FrameState) {
        text.removeAll(keepingCapacity: true)
        text.append(contentsOf: state.text)
        (fraction, value, isSent) = (fraction(of: state), state.value, true)
    }

    /// Records that a new stream's snapshot shows a state that the other streams have not seen.
    mutating func recordGreeting(_ state: FrameState, _ members: FrameMembers) {
        ahead.record(state.text, fraction(of: state), members)
    }

    /// Returns the audience of a frame that shows a state; nil when all have seen it.
    /// - Parameter isNews: Whether it differs from the last frame.
    mutating func audience(of state: FrameState, _ members: FrameMembers, isNews: Bool) -> FrameAudience? {
        ahead.record(state.text, fraction(of: state), members, isNews: isNews)
    }

    private func fraction(of state: FrameState) -> Double? { isOfText ? nil : state.fraction }
}
