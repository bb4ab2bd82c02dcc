// Why a rule of the calendar can't be taken.

/// A refusal in words for the client, which name the part at fault.
struct RuleError: Error, Hashable, Sendable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
