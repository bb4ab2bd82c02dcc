// What a server answers, as values.

/// An answer.
package enum RedisReply: Hashable, Sendable {
    case null
    case status(String)
    case integer(Int64)
    case bytes([UInt8])
    case array([RedisReply])
    case error(RedisError)

    /// A whole number, also as text.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .bytes(let bytes): Int64(String(decoding: bytes, as: UTF8.self))
        case .null, .status, .array, .error: nil
        }
    }

    package var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    package var text: String? {
        switch self {
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        case .status(let text): text
        case .null, .integer, .array, .error: nil
        }
    }

    package var elements: [RedisReply]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// Names and values that stand by turns, as `HGETALL` answers.
    package var pairs: [(name: String, value: RedisReply)] {
        let items = elements ?? []
        return stride(from: 0, to: items.count - 1, by: 2).compactMap { index in
            items[index].text.map { ($0, items[index + 1]) }
        }
    }
}

/// Why a server can't be used, or what it refused.
package struct RedisError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No connection, none any more, or no answer in time.
        case unreachable
        /// Wrong password, or no right to.
        case refused
        case outOfMemory
        /// It is a replica: others take writes.
        case readOnly
        /// It doesn't serve for now.
        case loading
        /// It doesn't know the script.
        case noScript
        /// Another node of the cluster has the keys.
        case moved(RedisEndpoint)
        /// Too few replicas take part.
        case noReplicas
        /// It answers what was not asked.
        case confused
        case failed
    }

    package let code: Code
    package let cause: String

    package init(_ code: Code, _ cause: String) {
        self.code = code
        self.cause = cause
    }

    package var description: String { cause }

    /// By the first word of an error that a server answers.
    package init(reply text: String) {
        let words = text.split(separator: " ")
        let code: Code =
            switch words.first {
            case "NOAUTH", "WRONGPASS", "NOPERM": .refused
            // As servers before 6.0 say it.
            case "ERR" where text.contains("AUTH") || text.contains("password"): .refused
            case "OOM": .outOfMemory
            case "READONLY": .readOnly
            case "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY", "UNBLOCKED": .loading
            case "NOSCRIPT": .noScript
            case "NOREPLICAS": .noReplicas
            case "MOVED", "ASK": Self.endpoint(words.last).map { .moved($0) } ?? .failed
            default: .failed
            }
        self.init(code, text)
    }

    /// `host:port` of a `MOVED`; the host may hold colons.
    private static func endpoint(_ text: Substring?) -> RedisEndpoint? {
        guard let text, let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            colon > text.startIndex
        else { return nil }
        return .host(String(text.prefix(upTo: colon)), port: port)
    }
}
