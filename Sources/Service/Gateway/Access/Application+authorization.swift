// What a request's head says already: whoever would be refused whatever the body holds is refused before any of it is kept,
// so that the room for bodies is that of those who may send some.

import EventStream
package import HTTPTransport
import Wire

/// That host and origin of a request are let in, and what else its head says: found out once, when its body is to come, for
/// when that is there.
final class AuthorizedRequest: Sendable {
    /// What its answer is to carry.
    let headers: [(name: String, value: String)]
    /// Whether its cookies count.
    let trustsCookies: Bool
    let route: Result<Route, Route.Refusal>
    /// What it is, for whoever is told what became of it.
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
            // Its page may read what else it is told.
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
        // Nobody is asked for a right to send what nobody reads; the rest is looked at when it is served.
        guard route.takesBody else { return .dropped }
        let caller = try caller(of: request, on: route, trustsCookies: authorized.trustsCookies)
        record(caller, in: &label)
        // A ticket says who listens; it is spent when the body has said to what.
        if route != .stream(.topicsByBody) || request.query(Self.ticketParameter) == nil {
            try checkSending(caller, to: route)
        }
        // Where tokens are asked for, those who bring none have one share of the room together.
        return .kept(owner: guards.limits.owner(of: caller) ?? Principal.anonymousName)
    }

    private func checkSending(_ sender: Caller, to route: Route) throws(Problem) {
        do throws(Problem) {
            try sender.checkBody(of: route)
        } catch {
            // A request that is served is counted when it is.
            try guards.limits.take(sender, updates: route.changesOne ? 1 : 0, at: guards.uptime())
            throw error
        }
    }

    /// What a path that doesn't exist, or takes other methods, answers.
    func answer(to refusal: Route.Refusal, method: String) -> HTTPResponse {
        method == "OPTIONS" && !refusal.allowed.isEmpty
            ? .preflight(refusal.allowed, headers: guards.access.allowedHeaders) : .refusal(refusal)
    }
}

extension Caller {
    /// - Throws: 401 or 403 where a request to a route would be refused whatever its body holds.
    fileprivate func checkBody(of route: Route) throws(Problem) {
        switch route {
        case .change(let change):
            if let name = change.name { return try checkChange(of: name) }
            if case .notify(let name) = change { return try checkNotification(name) }
            try checkPublishesSomething()
        case .batch: try checkPublishesSomething()
        // Of a stream with a ticket, it says what may be heard.
        case .stream(.change): break
        case .ticket, .stream:
            guard !rights.subscribe.isEmpty else { throw refusal("listen to any of these topics") }
        case .health, .version, .file, .look, .deadLetter, .session: break
        }
    }
}
