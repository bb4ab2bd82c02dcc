// How much a line of the log matters.

/// The level of a line; a log writes those of its own level and above.
package enum LogLevel: UInt8, CaseIterable, Comparable, Sendable {
    /// What is of use to whoever looks for something.
    case debug
    /// What happens as it should.
    case info
    /// What somebody should look at, though all goes on.
    case warning
    /// What does not go on, or was lost.
    case error

    /// As it stands in a line, and behind a flag.
    package var name: String { "\(self)" }

    /// The same among those of syslog(3).
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

/// How lines are written.
package enum LogFormat: UInt8, CaseIterable, Sendable {
    /// For people.
    case text
    /// An object a line.
    case json

    /// As it stands behind a flag.
    package var name: String { "\(self)" }
}
