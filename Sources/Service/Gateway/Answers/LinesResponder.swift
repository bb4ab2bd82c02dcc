// A stream's answer as lines of JSON, for clients that don't read Server-Sent Events.

import EventStream
import HTTPTransport

/// Sets the content type of a stream of lines, and converts streams that end at once.
final class LinesResponder: Responder {
    private let responder: any Responder

    init(_ responder: any Responder) { self.responder = responder }

    func send(_ response: HTTPResponse) {
        guard let place = response.headers.firstIndex(where: Self.isEventStream) else {
            return responder.send(response)
        }
        var lines = response
        lines.headers[place].value = EventLines.contentType
        lines.body = EventLines.lines(of: lines.body[...])
        responder.send(lines)
    }

    func send(_ make: @escaping @Sendable () -> HTTPResponse) { responder.send(make) }
    func send(_ head: HTTPResponse, bodyFrom source: any BodySource) { responder.send(head, bodyFrom: source) }

    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        let headers = headers.map { Self.isEventStream($0) ? ($0.0, EventLines.contentType) : $0 }
        responder.stream(headers: headers, to: acceptor, context: context)
    }

    private static func isEventStream(_ header: (name: String, value: String)) -> Bool {
        header.name == "Content-Type" && header.value == EventStreamHead.contentType
    }
}
