// Decisions by a request's head. A request that would be rejected whatever its body contains is rejected before the body is
// read, so that the room for bodies is left to those who may send them.

import EventStream
package import HTTPTransport
import Wire

/// The decisions made by a request's head, kept until its body has arrived.
final class AuthorizedRequest: Sendable {
    /// Headers for its answer.
    let headers: [(name: String, value: String)]
    /// Whether its cookies are trusted.
    let trustsCookies: Bool
    let route: Result<Route, Route.Refusal>
    /// The request's label in metrics and logs.
    let label: RequestLabel

    init(headers: [(name: String, value: String)], trustsCookies: Bool, route: Result<Route, Route.Refusal>) {
        self.headers = headers
        self.trustsCookies = trustsCookies
        self.route = route
        label = RequestLabel(route: RoutePattern(route).rawValue)
    }
}

extension Application {
    package func decide(_ request: HTTPRequest) -> HeadDecision {
        let limit = bodyLimit(method: request.method, path: request.path)
        var headers: [(name: String, value: String)] = []
        var label = RequestLabel(route: RoutePattern.none.rawValue)
        var refusal: HTTPResponse
        do throws(Problem) {
            let authorized = try self.authorized(of: request)
            // Its page may read any further error.
            headers = authorized.headers
            label = authorized.label
            try checkType(of: request)
            try checkOpen(to: request)
            let outcome = try outcome(of: request, authorized, &label)
            return HeadDecision(limit: limit, outcome, context: authorized, label: label)
        } catch {
            refusal = .problem(error)
        }
        refusal.headers += headers
        return HeadDecision(limit: limit, .refused(refusal), label: label)
    }

    private func outcome(
        of request: HTTPRequest, _ authorized: AuthorizedRequest, _ label: inout RequestLabel
    ) throws(Problem) -> HeadDecision.Outcome {
        guard guards.authority != nil else {
            return .kept(owner: guards.limits.owner(of: somebody(.anybody, request)))
        }
        let route: Route
        switch authorized.route {
        case .success(let known): route = known
        case .failure(let refusal):
            try countUnrouted(request)
            var response = answer(to: refusal, method: request.method)
            response.headers += authorized.headers
            return .refused(response)
        }
        // No right is needed to send a body that is not read; the rest is checked when the request is served.
        guard route.takesBody else { return .dropped }
        let caller = try caller(of: request, on: route, trustsCookies: authorized.trustsCookies)
        record(caller, in: &label)
        // A ticket identifies the reader. It is spent when the body has named the topics.
        if route != .stream(.topicsByBody) || request.query(Self.ticketParameter) == nil {
            try checkSending(caller, to: route)
        }
        // If tokens are required, all requests without one share one part of the room.
        return .kept(owner: guards.limits.owner(of: caller) ?? Principal.anonymousName)
    }

    private func checkSending(_ sender: Caller, to route: Route) throws(Problem) {
        do throws(Problem) {
            try sender.checkBody(of: route)
        } catch {
            // A request that is served is counted then.
            try guards.limits.take(sender, updates: route.changesOne ? 1 : 0, at: guards.uptime())
            throw error
        }
    }

    /// Returns the answer for an unknown path, or for a path with other methods.
    func answer(to refusal: Route.Refusal, method: String) -> HTTPResponse {
        method == "OPTIONS" && !refusal.allowed.isEmpty
            ? .preflight(refusal.allowed, headers: guards.access.allowedHeaders) : .refusal(refusal)
    }
}

extension Caller {
    /// - Throws: 401 or 403 if a request to a route would be rejected whatever its body contains.
    fileprivate func checkBody(of route: Route) throws(Problem) {
        switch route {
        case .change(let change):
            if let name = change.name { return try checkChange(of: name) }
            if case .notify(let name) = change { return try checkNotification(name) }
            try checkPublishesSomething()
        case .batch: try checkPublishesSomething()
        // The rights are those of a stream's ticket, if it has one.
        case .stream(.change): break
        case .ticket, .stream:
            guard !rights.subscribe.isEmpty else { throw refusal("listen to any of these topics") }
        case .health, .version, .file, .look, .deadLetter, .session: break
        }
    }
}
