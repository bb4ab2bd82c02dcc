// A stream's answer in another form than Server-Sent Events.

import EventStream
import HTTPTransport

/// Sets the content type of an encoded stream, and converts streams that end at once.
final class EncodedResponder: Responder {
    private let responder: any Responder
    private let encoding: StreamEncoding

    private init(_ responder: any Responder, _ encoding: StreamEncoding) {
        self.responder = responder
        self.encoding = encoding
    }

    /// - Returns: The responder itself for Server-Sent Events.
    static func responder(_ responder: any Responder, _ encoding: StreamEncoding?) -> any Responder {
        encoding.map { EncodedResponder(responder, $0) } ?? responder
    }

    func send(_ response: HTTPResponse) {
        guard let place = response.headers.firstIndex(where: Self.isEventStream) else {
            return responder.send(response)
        }
        var encoded = response
        var encoder = encoding.encoder()
        encoded.headers[place].value = encoding.contentType
        encoded.body = encoder.encoded(encoded.body[...])
        responder.send(encoded)
    }

    func send(_ make: @escaping @Sendable () -> HTTPResponse) { responder.send(make) }

    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        let headers = headers.map { Self.isEventStream($0) ? ($0.0, encoding.contentType) : $0 }
        responder.stream(headers: headers, to: acceptor, context: context)
    }

    private static func isEventStream(_ header: (name: String, value: String)) -> Bool {
        header.name == "Content-Type" && header.value == EventStreamHead.contentType
    }
}
