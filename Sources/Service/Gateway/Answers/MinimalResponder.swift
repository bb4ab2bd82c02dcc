// A change's answer without the resource, if the client does not want it (`Prefer: return=minimal`, RFC 7240). The machine
// does not know the form: it keeps the whole answer for retries, and each attempt gets the form that it asks for.

import HTTPTransport
import Machine

/// Omits resources from answers.
final class MinimalResponder: Responder {
    private let responder: any Responder

    init(_ responder: any Responder) { self.responder = responder }

    func send(answer: Answer) { responder.send { HTTPResponse.minimal(answer) } }
    func send(_ response: HTTPResponse) { responder.send(response) }
    func send(_ make: @escaping @Sendable () -> HTTPResponse) { responder.send(make) }
    func send(_ head: HTTPResponse, bodyFrom source: any BodySource) { responder.send(head, bodyFrom: source) }
    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        responder.stream(headers: headers, to: acceptor, context: context)
    }
}
