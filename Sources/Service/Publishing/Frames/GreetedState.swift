// What new streams were shown in their snapshots before the other streams saw it; the others get it with the next frame.

import EventStream

/// A state that some of a topic's subscribers know and that no frame has shown yet.
struct GreetedState {
    private enum Known {
        case nothing
        case one(text: [UInt8], fraction: Double?, members: [UInt8])
        /// Different subscribers know different states.
        case several
    }

    private var known = Known.nothing

    /// Whether all subscribers know the same.
    var isEmpty: Bool {
        if case .nothing = known { true } else { false }
    }

    /// Records what a new stream was shown.
    mutating func record(_ text: [UInt8], _ fraction: Double?, _ members: [UInt8] = []) {
        if isEmpty {
            known = .one(text: text, fraction: fraction, members: members)
        } else if !shows(text, fraction, members) {
            known = .several
        }
    }

    /// Records that the state may have changed.
    /// - Parameter isNews: Whether it differs from what the last frame showed.
    /// - Returns: The audience of a frame; nil when no frame is needed.
    mutating func take(
        _ text: [UInt8], _ fraction: Double?, _ members: [UInt8] = [], isNews: Bool
    ) -> FrameAudience? {
        defer { known = .nothing }
        guard isNews else { return isEmpty ? nil : .greetedOnly }
        return shows(text, fraction, members) ? .exceptGreeted : .all
    }

    private func shows(_ text: [UInt8], _ fraction: Double?, _ members: [UInt8]) -> Bool {
        guard case .one(let knownText, let knownFraction, let knownMembers) = known else { return false }
        return knownText == text && knownFraction == fraction && knownMembers == members
    }
}
