// What lines of the log are about.

/// The subject of a line.
package enum LogKind: String, CaseIterable, Sendable {
    /// Tokens and who is let in.
    case access
    /// Actions that could not be carried out when they fell due.
    case action
    /// The wall clock.
    case clock
    /// Limits that were met.
    case limit
    /// A request and its answer.
    case request
    /// Starting, running and stopping.
    case service
    case store
    case stream
    case webhook
}
