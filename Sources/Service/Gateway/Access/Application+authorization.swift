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
    let match: Result<RouteMatch, Route.Refusal>

    init(
        headers: [(name: String, value: String)], trustsCookies: Bool, match: Result<RouteMatch, Route.Refusal>
    ) {
        self.headers = headers
        self.trustsCookies = trustsCookies
        self.match = match
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
            label = RequestLabel(route: RoutePattern(authorized.match).rawValue)
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
        let match: RouteMatch
        switch authorized.match {
        case .success(let known): match = known
        case .failure(let refusal):
            try countUnrouted(request)
            var response = answer(to: refusal, method: request.method)
            response.headers += authorized.headers
            return .refused(response)
        }
        // No right is needed to send a body that is not read; the rest is checked when the request is served.
        guard match.row.takesBody else { return .dropped }
        let caller = try caller(of: request, on: match, trustsCookies: authorized.trustsCookies)
        record(caller, in: &label)
        // A ticket identifies the reader. It is spent when the body has named the topics.
        if !bringsTicket(request, on: match) { try checkSending(caller, to: match) }
        // If tokens are required, all requests without one share one part of the room.
        return .kept(owner: guards.limits.owner(of: caller) ?? Principal.anonymousName)
    }

    private func checkSending(_ sender: Caller, to match: RouteMatch) throws(Problem) {
        do throws(Problem) {
            try sender.check(match)
        } catch {
            // A request that is served is counted then.
            try guards.limits.consume(sender, updates: match.row.updates, at: guards.uptime())
            throw error
        }
    }

    /// Whether a one-time ticket identifies a stream's reader.
    func bringsTicket(_ request: HTTPRequest, on match: RouteMatch) -> Bool {
        if case .stream = match.route { request.query(Self.ticketParameter) != nil } else { false }
    }

    /// Returns the answer for an unknown path, or for a path with other methods.
    func answer(to refusal: Route.Refusal, method: String) -> HTTPResponse {
        method == "OPTIONS" && !refusal.allowed.isEmpty
            ? .preflight(refusal.allowed, headers: guards.access.allowedHeaders) : .refusal(refusal)
    }
}
