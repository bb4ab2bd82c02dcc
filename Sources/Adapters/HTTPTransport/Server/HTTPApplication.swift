// What a server needs from its application.

/// Answers requests.
package protocol HTTPApplication: AnyObject, Sendable {
    /// Judges a request by its head before its body is read; `request.body` is empty. Runs on a worker of the transport and
    /// must not block. Not called for a request without a body.
    func decide(_ request: HTTPRequest) -> HeadDecision
    /// Answers a request, now or later. Not called for requests rejected by their head. Runs on a worker of the transport
    /// and must not block.
    func respond(to request: HTTPRequest, on responder: HTTPResponder)
    /// Returns the application's form of an answer that the transport itself must give.
    func response(for failure: HTTPFailure) -> HTTPResponse
    /// Receives each answered request. Runs on a worker of the transport and must not block.
    func answered(_ answer: AnsweredRequest)
}

extension HTTPApplication {
    package func answered(_ answer: AnsweredRequest) {}
}

/// What to do with a request's body, decided from its head.
package struct HeadDecision: Sendable {
    /// What happens to the body.
    package enum Outcome: Sendable {
        /// It is kept.
        /// - Parameter owner: The owner whose share of the budget it uses; nil if only the whole budget limits it.
        case kept(owner: String?)
        /// The request is served without its body.
        case dropped
        /// The request is rejected with this response, and its body dropped.
        case refused(HTTPResponse)
    }

    /// The most bytes of the body. A longer one is rejected as soon as that is known.
    package var limit: Int
    package var outcome: Outcome
    /// Passed on with the complete request, so that nothing is determined twice.
    package var context: (any AnyObject & Sendable)?
    /// The request's label, passed back when it was answered.
    package var label: RequestLabel

    package init(
        limit: Int, _ outcome: Outcome, context: (any AnyObject & Sendable)? = nil,
        label: RequestLabel = RequestLabel()
    ) {
        self.limit = limit
        self.outcome = outcome
        self.context = context
        self.label = label
    }
}

/// Why the transport itself rejects a request.
package enum HTTPFailure: Hashable, Sendable {
    /// 413.
    case bodyTooLarge(limit: Int)
    /// 503: the bodies of other requests, or of this owner's, use up their memory.
    case tooManyBodies
    /// 503: answers that wait to be read, of all clients or of this owner, use up their memory.
    case tooManyUnread
    /// 414, in bytes.
    case targetTooLong(limit: Int)
    /// 414: too many query parameters.
    case tooManyParameters(limit: Int)
    /// 431: request line and headers together, in bytes.
    case headTooLarge(limit: Int)
    /// 431: too many headers.
    case tooManyHeaders(limit: Int)
    /// 400: the request line is malformed, a header's name or value is, or a header is folded (RFC 9112, 3 and 5).
    case malformedHead
    /// 400: `Host` is missing in HTTP/1.1, repeated, or malformed (RFC 9112, 3.2).
    case notOneHost
    /// 400: the length is malformed, or a proxy in front may read another one (request smuggling).
    case ambiguousLength
    /// 400: bytes between a body's chunks are ambiguous or too long.
    case malformedChunks
    /// There is no room for a stream. 200 and an end, since a browser's EventSource gives up forever on anything else.
    case noRoomForStream
    /// The application released a responder unused, or the server stopped before an answer.
    case unanswered
}
