// The single answer to a request, independent of the transport.

package import HTTPTransport

/// Answers a request. Any thread may call this; only the first answer counts.
package protocol Responder: AnyObject, Sendable {
    func send(_ response: HTTPResponse)
    /// Sends an answer that is created by the thread that sends it.
    func send(_ make: @escaping @Sendable () -> HTTPResponse)
    /// Answers 200 with these headers and hands the socket over.
    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext)
}

extension HTTPResponder: Responder {}
