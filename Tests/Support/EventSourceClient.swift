// A client of a stream: parses Server-Sent Events as specified by the WHATWG.

/// One event as a client sees it.
package struct ServerSentEvent: Hashable, Sendable {
    /// `message` if the event has no name.
    package var name = "message"
    package var data = ""
    package var id: String?
    package var retry: Int?
}

/// A stream over a raw connection.
package final class EventSourceClient {
    package let status: Int
    package let headers: [String: String]
    private let connection: RawConnection
    /// Bytes left of an answer with a content length, such as an error.
    private var remaining: Int?

    /// Connects and reads the head of the answer.
    package init(
        port: UInt16, path: String, method: String = "GET", body: String? = nil, headers: [String] = [],
        receiveBuffer: Int32? = nil, trusting certificate: String? = nil
    ) throws {
        connection = try RawConnection(port: port, receiveBuffer: receiveBuffer, trusting: certificate)
        try connection.send(HTTPClient.request(method, path, body: body, headers: headers))
        guard let head = try connection.readStreamHead() else {
            throw RawConnection.Failure(description: "closed before an answer")
        }
        (status, self.headers) = HTTPClient.parse(head: head)
        remaining = self.headers["content-length"].flatMap { Int($0) }
    }

    /// Connects and reads the greeting, so that nothing from now on is missed.
    package static func greeted(port: UInt16, path: String, headers: [String] = []) throws -> EventSourceClient {
        let client = try EventSourceClient(port: port, path: path, headers: headers)
        _ = try client.collect { $0.name == "hello" }
        return client
    }

    /// Returns the next event; nil when the server has ended the stream.
    package func next() throws -> ServerSentEvent? {
        guard remaining != 0, let block = try connection.read(through: "\n\n") else { return nil }
        remaining = remaining.map { $0 - block.utf8.count }
        var event = ServerSentEvent()
        var data: [Substring] = []
        for line in block.split(separator: "\n", omittingEmptySubsequences: true) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            var value = line[line.index(after: colon)...]
            if value.first == " " { value.removeFirst() }
            switch line[..<colon] {
            case "event": event.name = String(value)
            case "data": data.append(value)
            case "id": event.id = String(value)
            case "retry": event.retry = Int(value)
            default: break
            }
        }
        event.data = data.joined(separator: "\n")
        return event
    }

    /// Reads up to the first matching event, and returns all of them.
    package func collect(until isLast: (ServerSentEvent) -> Bool) throws -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        while let event = try next() {
            events.append(event)
            if isLast(event) { break }
        }
        return events
    }

    /// Whether the server has ended its answer properly, and not only closed the connection.
    package var hasEnded: Bool { connection.hasLastChunk }

    /// Closes the connection.
    package func close() { connection.shut() }
}
