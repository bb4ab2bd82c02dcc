// What a server asks of the application behind it.

/// What answers requests.
package protocol HTTPApplication: AnyObject, Sendable {
    /// The longest body in bytes that a request may have; a longer one is refused as soon as it shows. Asked when a
    /// request's head is there and a body is to come. Runs on a worker.
    func bodyLimit(method: String, path: String) -> Int
    /// Answers, now or later. Runs on a worker of the transport and must not block.
    func respond(to request: HTTPRequest, on exchange: HTTPExchange)
    /// The application's form of an answer that the transport itself must give.
    func response(for failure: HTTPFailure) -> HTTPResponse
}

/// What the transport itself must refuse.
package enum HTTPFailure: Hashable, Sendable {
    /// 413.
    case bodyTooLarge(limit: Int)
    /// 503: bodies of other requests take all the memory there is for them.
    case tooManyBodies
    /// 414, in bytes.
    case targetTooLong(limit: Int)
    /// 414: more query parameters than are read.
    case tooManyParameters(limit: Int)
    /// 431: request line and headers together, in bytes.
    case headTooLarge(limit: Int)
    /// 400: a header's name is none, or a header goes on in the next line (RFC 9112, 5).
    case malformedHead
    /// 400: none in HTTP/1.1, or several (RFC 9112, 3.2).
    case notOneHost
    /// 400: one length for us and another for a proxy in front is how requests are smuggled.
    case ambiguousLength
    /// 200 and an end, since a browser's EventSource stops for ever on anything else: there is no room for a stream.
    case noRoomForStream
    /// The application let an exchange go without an answer, or the server stopped before there was one.
    case unanswered
}
