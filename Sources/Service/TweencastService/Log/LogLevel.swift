// The levels and formats of the log.

/// The level of a line. A log writes lines of its own level and above.
package enum LogLevel: UInt8, CaseIterable, Comparable, Sendable {
    /// Details for debugging.
    case debug
    /// Normal operation.
    case info
    /// A problem that an operator should check, while the service goes on.
    case warning
    /// A failure or a loss.
    case error

    /// The level's name, in lines and on the command line.
    package var name: String { "\(self)" }

    /// The level's number in syslog(3).
    var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }

    package static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// The format of lines.
package enum LogFormat: UInt8, CaseIterable, Sendable {
    /// Plain text for people.
    case text
    /// One JSON object per line.
    case json

    /// The format's name on the command line.
    package var name: String { "\(self)" }
}
