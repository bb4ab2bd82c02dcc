// A request's one answer as the tick thread gives it. What a request came over is the transport's matter.

package import HTTPTransport
package import Machine

/// The right to answer a request, from any thread; only the first answer counts.
package protocol Responder: AnyObject, Sendable {
    func send(_ response: HTTPResponse)
    /// Answers with what the machine says, in the form that was asked for. It is written where it is sent.
    func send(answer: Answer)
    /// Answers with what is made when it is sent, on the thread that sends it.
    func send(_ make: @escaping @Sendable () -> HTTPResponse)
    /// Answers with a head and a body in portions.
    func send(_ head: HTTPResponse, bodyFrom source: any BodySource)
    /// Answers 200 with these headers and hands the socket over.
    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext)
}

extension Responder {
    /// As long as nobody asks for another form, with all there is.
    package func send(answer: Answer) { send { HTTPResponse.answer(answer) } }
}

extension HTTPResponder: Responder {}
