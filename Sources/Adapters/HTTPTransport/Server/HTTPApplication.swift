// What a server asks of the application behind it.

/// What answers requests.
package protocol HTTPApplication: AnyObject, Sendable {
    /// Judges a request of which only the head is there and whose body is to come: its own is empty. Runs on a worker of
    /// the transport and must not block. A request without a body is not judged.
    func decide(_ request: HTTPRequest) -> HeadDecision
    /// Answers, now or later; not asked of a request that was refused by its head. Runs on a worker of the transport and
    /// must not block.
    func respond(to request: HTTPRequest, on responder: HTTPResponder)
    /// The application's form of an answer that the transport itself must give.
    func response(for failure: HTTPFailure) -> HTTPResponse
    /// Is told of each answer when it is handed over; on a worker of the transport. It must not block.
    func answered(_ request: AnsweredRequest)
}

extension HTTPApplication {
    package func answered(_ request: AnsweredRequest) {}
}

/// What becomes of a request's body, by its head.
package struct HeadDecision: Sendable {
    /// What becomes of it.
    package enum Outcome: Sendable {
        /// It is kept.
        /// - Parameter owner: Whose room it takes; nil where it is held to the room of all alone.
        case kept(owner: String?)
        /// The request is served without it: nobody reads it.
        case dropped
        /// The request is answered by this, and nothing of it is kept.
        case refused(HTTPResponse)
    }

    /// The longest that it may be, in bytes; a longer one is refused as soon as it shows.
    package var limit: Int
    package var outcome: Outcome
    /// Given back with the whole request, so that nothing need be found out twice.
    package var context: (any Sendable)?
    /// What it is, for when it is told what became of it.
    package var label: RequestLabel

    package init(limit: Int, _ outcome: Outcome, context: (any Sendable)? = nil, label: RequestLabel = RequestLabel()) {
        self.limit = limit
        self.outcome = outcome
        self.context = context
        self.label = label
    }
}

/// What the transport itself must refuse.
package enum HTTPFailure: Hashable, Sendable {
    /// 413.
    case bodyTooLarge(limit: Int)
    /// 503: bodies of other requests take all the memory there is for them, or those of this one's owner its share.
    case tooManyBodies
    /// 414, in bytes.
    case targetTooLong(limit: Int)
    /// 414: more query parameters than are read.
    case tooManyParameters(limit: Int)
    /// 431: request line and headers together, in bytes.
    case headTooLarge(limit: Int)
    /// 431: more headers than there are records for.
    case tooManyHeaders(limit: Int)
    /// 400: the first line is none, a header's name or value is none, or a header goes on in the next line (RFC 9112, 3 and 5).
    case malformedHead
    /// 400: none in HTTP/1.1, or several, or one that is no host (RFC 9112, 3.2).
    case notOneHost
    /// 400: one length for us and another for a proxy in front is how requests are smuggled; or it is no number.
    case ambiguousLength
    /// 400: what stands around a body's chunks could be read otherwise by others, or is longer than is read.
    case malformedChunks
    /// 200 and an end, since a browser's EventSource stops for ever on anything else: there is no room for a stream.
    case noRoomForStream
    /// The application let an exchange go without an answer, or the server stopped before there was one.
    case unanswered
}
