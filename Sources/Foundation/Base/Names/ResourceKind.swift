// What there is: topics and records are of these kinds, and of a few more of their own.

/// The kinds of resource.
package enum ResourceKind: UInt8, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case ticker, progress, schedule

    /// As clients write it. Spelled out, since every event and record has it and reflection is slow.
    package var description: String {
        switch self {
        case .ticker: "ticker"
        case .progress: "progress"
        case .schedule: "schedule"
        }
    }
}
