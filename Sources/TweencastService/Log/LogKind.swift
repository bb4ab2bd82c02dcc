// What lines of the log are about: each subject has a share of its own.

/// The subject of a line.
enum LogKind: CaseIterable, Sendable {
    /// Actions that could not be carried out when they fell due.
    case action
    /// The wall clock.
    case clock
    /// Limits that were met.
    case limit
    /// Starting, running and stopping.
    case service
    case store
    case stream
    case webhook

    /// As it stands in "more lines about …".
    var subject: String {
        switch self {
        case .action: "actions"
        case .clock: "the clock"
        case .limit: "limits"
        case .service: "the service"
        case .store: "the store"
        case .stream: "streams"
        case .webhook: "webhooks"
        }
    }
}
