// What streams were told at their beginning before those who listened already: the frame that shows it comes for the others.

import EventStream

/// A state that some of a topic's listeners know and no frame has shown yet.
struct GreetedState {
    private enum Known {
        case nothing
        case one(text: [UInt8], fraction: Double?, members: [UInt8])
        /// Some know one state and some another.
        case several
    }

    private var known = Known.nothing

    /// Nobody was told anything that the others were not.
    var isEmpty: Bool {
        if case .nothing = known { true } else { false }
    }

    /// Notes what one who came was told.
    mutating func record(_ text: [UInt8], _ fraction: Double?, _ members: [UInt8] = []) {
        if isEmpty {
            known = .one(text: text, fraction: fraction, members: members)
        } else if !shows(text, fraction, members) {
            known = .several
        }
    }

    /// Notes that what is shown may have changed.
    /// - Parameter isNews: It differs from what the last frame showed.
    /// - Returns: Whom a frame is for; nil when nobody needs one.
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
