// Why a calendar rule is rejected.

/// A message for the client that names the part at fault.
struct RuleError: Error, Hashable, Sendable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
