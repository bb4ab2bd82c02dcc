// Answers one request, once, now or later, from any thread.

/// The right to answer a request. Releasing it unused answers 500.
package final class HTTPResponder: Sendable {
    private let exchange: any HTTPExchange

    init(_ exchange: any HTTPExchange) {
        self.exchange = exchange
    }

    deinit { exchange.answer(.failure(.unanswered)) }

    /// Adds these headers to the answer, whatever it will be. Only while `respond` runs, on its thread.
    package func addHeaders(_ headers: [(name: String, value: String)]) { exchange.addHeaders(headers) }

    /// Sets the request's label, which is passed back when it was answered. Only while `respond` runs, on its thread.
    package func setLabel(_ label: RequestLabel) { exchange.changeLabel { $0 = label } }

    /// Changes the request's label. Only while `respond` runs, on its thread.
    package func changeLabel(_ change: (inout RequestLabel) -> Void) { exchange.changeLabel(change) }

    /// Whether the request's owner may have another answer wait to be read. Only while `respond` runs, on its thread.
    package var hasRoomForAnswer: Bool { exchange.hasRoomForAnswer }

    /// Answers. Only the first answer counts.
    package func send(_ response: HTTPResponse) { exchange.answer(.response(response)) }

    /// Answers with a response that is made when it is sent, on the sending worker; it isn't made if the client has left.
    package func send(_ make: @escaping @Sendable () -> HTTPResponse) { exchange.answer(.later(make)) }

    /// Answers 200 with these headers and hands the socket over. The context receives the outcome exactly once.
    package func stream(
        headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext
    ) {
        exchange.answer(.stream(headers: headers, acceptor, context))
    }
}
