// Receives the results of requests, for metrics and the log.

package import EventStream
package import HTTPTransport

/// Receives the results of requests, on any thread. It must not block.
package protocol RequestObserver: Sendable {
    /// A response was passed to the transport.
    func answered(_ answer: AnsweredRequest, on route: RoutePattern)
    /// A request had an invalid token.
    /// - Parameter reason: A description without any part of the token.
    func refusedToken(because reason: String, from client: String, request: String)
    /// A stream was ended with a time to retry.
    func refusedStream(because reason: String, _ origin: StreamOrigin)
}

extension Application {
    package func answered(_ answer: AnsweredRequest) {
        let label = answer.label
        observer?.answered(answer, on: RoutePattern(rawValue: label.route))
        if answer.status >= 400, !label.isAuditedByAnswer { auditRefusal(answer, label) }
    }

    /// Audits a change that was rejected before anything else could audit it, even by the transport.
    private func auditRefusal(_ answer: AnsweredRequest, _ label: RequestLabel) {
        let request = answer.request
        guard let audit = guards.audit, let action = AuditAction(method: request.method, path: request.path) else {
            return
        }
        let nobody = guards.authority == nil ? Principal.anybody : .unknown
        let asker = label.asker as? Caller ?? somebody(nobody, request)
        audit.record(action, by: origin(asker), status: answer.status)
    }

    /// Sets the label of a request, for metrics, logs and its owner's limits.
    func setLabel(_ match: RouteMatch, _ caller: Caller, _ responder: HTTPResponder) {
        var label = RequestLabel(route: match.pattern.rawValue)
        label.owner = guards.limits.owner(of: caller)
        if observer != nil || guards.audit != nil { record(caller, in: &label) }
        responder.setLabel(label)
    }

    /// Records the caller in a request's label.
    func record(_ caller: Caller, in label: inout RequestLabel) {
        label.holder = caller.principal.name
        label.client = caller.address
        if guards.audit != nil { label.asker = caller }
    }
}
