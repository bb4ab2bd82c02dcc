// The subjects of log lines.

/// The subject of a line.
package enum LogKind: String, CaseIterable, Sendable {
    /// Tokens and access.
    case access
    /// Actions that failed when they fell due.
    case action
    /// The wall clock.
    case clock
    /// Limits that were exceeded.
    case limit
    /// A request and its answer.
    case request
    /// Startup, operation and shutdown.
    case service
    case store
    case stream
    case webhook
}
