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

    /// - Returns: nil for a text that is no level's name.
    package init?(_ name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    package static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// How lines are written.
package enum LogFormat: UInt8, CaseIterable, Sendable {
    /// For people.
    case text
    /// An object a line.
    case json
}
