// What new streams were shown in their snapshots before the other streams saw it; the others get it with the next frame.

import EventStream
import Wire

/// A state that some of a topic's subscribers know and that no frame has shown yet.
struct GreetedState {
    private enum Known {
        case nothing
        // Apart from the topic's other state, because nearly all topics have none.
        indirect case one(text: [UInt8], fraction: Double?, members: FrameMembers)
        /// Different subscribers know different states.
        case several
    }

    private var known = Known.nothing

    /// Whether all subscribers know the same.
    var isEmpty: Bool {
        if case .nothing = known { true } else { false }
    }

    /// Records what a new stream was shown.
    mutating func record(_ text: [UInt8], _ fraction: Double?, _ members: FrameMembers) {
        if isEmpty {
            known = .one(text: text, fraction: fraction, members: members)
        } else if !shows(text, fraction, members) {
            known = .several
        }
    }

    /// Records that the state may have changed.
    /// - Parameter isNews: Whether it differs from what the last frame showed.
    /// - Returns: The audience of a frame; nil when no frame is needed.
    mutating func record(
        _ text: [UInt8], _ fraction: Double?, _ members: FrameMembers, isNews: Bool
    ) -> FrameAudience? {
        defer { known = .nothing }
        guard isNews else { return isEmpty ? nil : .greetedOnly }
        return shows(text, fraction, members) ? .exceptGreeted : .all
    }

    private func shows(_ text: [UInt8], _ fraction: Double?, _ members: FrameMembers) -> Bool {
        guard case .one(let knownText, let knownFraction, let knownMembers) = known else { return false }
        return knownText == text && knownFraction == fraction && knownMembers == members
    }
}
