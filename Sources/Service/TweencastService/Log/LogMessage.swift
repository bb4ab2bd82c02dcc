// A line of the log before it is text.

/// What a field holds.
package enum LogValue: Sendable, ExpressibleByStringInterpolation {
    /// What clients wrote may be in it: characters that could do more than be read are escaped.
    case text(String)
    case whole(Int)
    case real(Double)

    package init(stringLiteral value: String) { self = .text(value) }
}

/// What is known of a line when it is handed over.
struct LogMessage: Sendable {
    typealias Fields = [(name: String, value: LogValue)]

    /// Unix nanoseconds.
    var time: Int64
    var level: LogLevel
    var kind: LogKind
    /// Always in the same words: what is different each time stands in the fields.
    var message: String
    var fields: Fields
    /// One of many alike that are all wanted, such as a request's: it has no share of a minute.
    var isRecord = false

    /// About how many bytes it takes while it waits.
    var size: Int {
        fields.reduce(64 + message.utf8.count) { sum, field in
            guard case .text(let text) = field.value else { return sum + 40 }
            return sum + 40 + min(text.utf8.count, LogLine.longestValue)
        }
    }
}
