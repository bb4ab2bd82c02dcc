// Why a request failed.

public import FoundationEssentials

/// Why a request failed. Its description is one sentence for people.
public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It can't be sent: an address, an id, a token, a key, a number or a text is none. The sentence names what was given, but no
    /// token.
    case invalidRequest(String)
    /// The server answered that it doesn't do what was asked.
    case refused(Problem)
    /// No answer came: no connection, or it broke. What was asked may have been done.
    case unreachable(server: String, reason: String)
    /// The answer isn't one of a Tweencast server.
    case notUnderstood(server: String)
    case cancelled

    /// Problem details (RFC 9457).
    public struct Problem: Hashable, Sendable {
        /// The status code.
        public let status: Int
        /// What is wrong, and what to do.
        public let detail: String
        /// The field at fault as a JSON pointer.
        public let pointer: String?

        /// Creates a problem, such as one for a test.
        public init(status: Int, detail: String, pointer: String? = nil) {
            self.status = status
            self.detail = detail
            self.pointer = pointer
        }
    }

    /// Whether the same request may succeed later.
    public var isTemporary: Bool {
        switch self {
        case .refused(let problem): Self.isTemporary(problem.status)
        case .unreachable: true
        case .invalidRequest, .notUnderstood, .cancelled: false
        }
    }

    static func isTemporary(_ status: Int) -> Bool { status >= 500 || status == 408 || status == 425 || status == 429 }

    /// A sentence for people.
    public var description: String {
        switch self {
        case .invalidRequest(let sentence): sentence
        case .refused(let problem): problem.pointer.map { "\(problem.detail) (\($0))" } ?? problem.detail
        case .unreachable(let server, let reason): "no answer from \(server): \(reason)"
        case .notUnderstood(let server): "the answer of \(server) is not that of a Tweencast server"
        case .cancelled: "cancelled"
        }
    }
}

extension ClientError: LocalizedError {
    /// The same sentence.
    public var errorDescription: String? { description }
}

extension ClientError.Problem {
    private struct Details: Decodable {
        let detail: String
        let pointer: String?
    }

    /// - Parameter body: Problem details, or what a proxy answered in their place.
    init(status: Int, body: [UInt8]) {
        let details = try? JSONDecoder().decode(Details.self, from: Data(body))
        self.status = status
        detail = details?.detail ?? "the server answered with status \(status)"
        pointer = details?.pointer
    }
}
