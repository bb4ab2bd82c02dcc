// One request and its one answer, now or later, from any thread.

/// The right to answer a request. Letting it go unused answers 500.
package final class HTTPResponder: Sendable {
    private let pending: PendingRequest

    init(_ pending: PendingRequest) {
        self.pending = pending
    }

    deinit { pending.answer(.failure(.unanswered)) }

    /// Has these headers go with the answer, whatever it will be. Only while `respond` runs, on its thread.
    package func addHeaders(_ headers: [(name: String, value: String)]) {
        // The first are taken over as they are, which is mostly all.
        if unsafe pending.headers.isEmpty {
            unsafe pending.headers = headers
        } else {
            unsafe pending.headers += headers
        }
    }

    /// Says what the request is, for when it is told what became of it. Only while `respond` runs, on its thread.
    package func setLabel(_ label: RequestLabel) { unsafe pending.intake.label = label }

    /// Changes what was said of the request. Only while `respond` runs, on its thread.
    package func changeLabel(_ change: (inout RequestLabel) -> Void) { unsafe change(&pending.intake.label) }

    /// Answers; only the first answer counts.
    package func send(_ response: HTTPResponse) { pending.answer(.response(response)) }

    /// Answers with what is made when it is sent, on the worker that sends it; not at all where nobody waits any more.
    package func send(_ make: @escaping @Sendable () -> HTTPResponse) { pending.answer(.later(make)) }

    /// Answers with a head and a body in portions: in chunks, or, for a client of HTTP/1.0, until the connection closes.
    /// To HEAD only the head is sent, and no portion is asked for.
    /// - Parameter head: Its own body is left out.
    package func send(_ head: HTTPResponse, bodyFrom source: any BodySource) {
        pending.answer(.portions(head, source))
    }

    /// Answers 200 with these headers and hands the socket over. The context hears of it in any case, once.
    package func stream(
        headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext
    ) {
        pending.answer(.stream(headers: headers, acceptor, context))
    }
}
