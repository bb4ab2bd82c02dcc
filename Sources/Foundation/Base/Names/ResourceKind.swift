// The kinds of resource, shared by topics and records, which have a few kinds more.

/// The kinds of resource.
package enum ResourceKind: UInt8, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case ticker, progress, schedule

    /// The name that clients use. Spelled out, since every event and record needs it and reflection is slow.
    package var description: String {
        switch self {
        case .ticker: "ticker"
        case .progress: "progress"
        case .schedule: "schedule"
        }
    }
}
