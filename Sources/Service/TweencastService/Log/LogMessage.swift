// A log line before it is formatted.

/// The value of a field.
package enum LogValue: Sendable, ExpressibleByStringInterpolation {
    /// A text, which may come from clients; control characters are escaped.
    case text(String)
    case whole(Int)
    case real(Double)

    package init(stringLiteral value: String) { self = .text(value) }
}

/// A line as it was logged.
struct LogMessage: Sendable {
    typealias Fields = [(name: String, value: LogValue)]

    /// Unix nanoseconds.
    var time: Int64
    var level: LogLevel
    var kind: LogKind
    /// The message; its wording is fixed, and what varies is in the fields.
    var message: String
    var fields: Fields
    /// Whether the line is one of many alike that are all wanted, such as a request's. The limit per minute does not apply.
    var isRecord = false

    /// About how many bytes the line takes while it waits.
    var size: Int {
        fields.reduce(64 + message.utf8.count) { sum, field in
            guard case .text(let text) = field.value else { return sum + 40 }
            return sum + 40 + min(text.utf8.count, LogLine.longestValue)
        }
    }
}
