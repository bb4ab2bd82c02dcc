// What a server asks of the application behind it.

/// What answers requests.
package protocol HTTPApplication: AnyObject, Sendable {
    /// The longest body in bytes; a longer one is refused as soon as it shows.
    var bodyLimit: Int { get }
    /// Answers, now or later. Runs on a worker of the transport and must not block.
    func respond(to request: HTTPRequest, on exchange: HTTPExchange)
    /// The application's form of an answer that the transport itself must give.
    func response(for failure: HTTPFailure) -> HTTPResponse
}

/// What the transport itself must refuse.
package enum HTTPFailure: Hashable, Sendable {
    case bodyTooLarge(limit: Int)
    /// The application let an exchange go without an answer, or the server stopped before there was one.
    case unanswered
}
