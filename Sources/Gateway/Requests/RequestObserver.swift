// Who is told what becomes of requests: for figures, and for the log.

import Access
package import EventStream
package import HTTPTransport

/// Is told what becomes of requests, on whatever thread that is; it must not block.
package protocol RequestObserver: Sendable {
    /// A request's answer was handed over.
    func answered(_ request: AnsweredRequest, on route: RoutePattern)
    /// A token was brought that doesn't count.
    /// - Parameter reason: In words, with nothing of the token in them.
    func refusedToken(because reason: String, from client: String, request: String)
    /// A stream was told to come back later.
    func refusedStream(because reason: String, _ origin: StreamOrigin)
}

extension Application {
    package func answered(_ request: AnsweredRequest) {
        observer?.answered(request, on: RoutePattern(rawValue: request.label.route) ?? .none)
    }

    /// Says whose a request is, for whoever is told what became of it.
    func setLabel(_ route: Route, _ caller: Caller, _ exchange: HTTPExchange) {
        guard observer != nil else { return }
        var label = RequestLabel(route: RoutePattern(route).rawValue)
        label.holder = caller.principal.name
        label.client = caller.address
        exchange.setLabel(label)
    }
}
