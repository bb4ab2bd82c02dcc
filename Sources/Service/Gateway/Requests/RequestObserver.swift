// Who is told what becomes of requests: for figures, and for the log.

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
        observer?.answered(request, on: RoutePattern(rawValue: request.label.route))
        if request.status >= 400, !request.label.isToldByAnswer { auditRefusal(ofRefused: request) }
    }

    /// Tells the trail of a change that came to nothing before it was handed to anybody who would: of whichever refusal, that
    /// of the transport included. So none is forgotten.
    private func auditRefusal(ofRefused request: AnsweredRequest) {
        guard let audit = guards.audit, let action = AuditAction(method: request.method, path: request.path) else {
            return
        }
        let nobody = guards.authority == nil ? Principal.anybody : .unknown
        let asker = request.label.asker as? Caller ?? somebody(nobody, request.request)
        audit.tell(action, by: origin(asker), status: request.status)
    }

    /// Says whose a request is, for whoever is told what became of it.
    func setLabel(_ match: RouteMatch, _ caller: Caller, _ responder: HTTPResponder) {
        guard observer != nil || guards.audit != nil else { return }
        var label = RequestLabel(route: match.pattern.rawValue)
        record(caller, in: &label)
        responder.setLabel(label)
    }

    /// Notes whose a request is.
    func record(_ caller: Caller, in label: inout RequestLabel) {
        label.holder = caller.principal.name
        label.client = caller.address
        if guards.audit != nil { label.asker = caller }
    }
}
