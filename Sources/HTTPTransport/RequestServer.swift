// What the callbacks do: collect a body, ask the application, give the library its answer.

import CMicroHTTPD

/// The object behind a daemon's callbacks.
final class RequestServer: Sendable {
    private let application: any HTTPApplication

    init(_ application: any HTTPApplication) {
        self.application = application
    }

    /// The head is here; a body that says it is too long is refused before it is read.
    func begin(_ pending: PendingRequest, on connection: Connection) -> MHD_Result {
        let length = connection.header("Content-Length").flatMap { Int($0) } ?? 0
        guard length > application.bodyLimit else { return .YES }
        unsafe pending.isHandled = true
        return connection.queue(application.response(for: .bodyTooLarge(limit: application.bodyLimit)))
    }

    func collect(_ data: UnsafeRawBufferPointer, for pending: PendingRequest) {
        // One byte over the limit is kept: it tells that the body was too long.
        let room = application.bodyLimit + 1 - (unsafe pending.body.count)
        if room > 0 { unsafe pending.body.append(contentsOf: data.prefix(room)) }
    }

    func finish(
        _ pending: PendingRequest, on connection: Connection, method: String, path: String
    ) -> MHD_Result {
        if unsafe !pending.isHandled {
            unsafe pending.isHandled = true
            if unsafe pending.body.count > application.bodyLimit {
                return connection.queue(application.response(for: .bodyTooLarge(limit: application.bodyLimit)))
            }
            let body = unsafe pending.body
            unsafe pending.body = []
            let request = HTTPRequest(method: method, path: path, body: body, connection: connection)
            application.respond(to: request, on: HTTPExchange(pending))
        }
        switch pending.takeAnswerOrSuspend() {
        case nil: return .YES
        case .response(let response): return connection.queue(response)
        case .failure(let failure): return connection.queue(application.response(for: failure))
        case .stream(let headers, let acceptor, let context):
            return connection.queue(StreamTakeOver(connection, acceptor, context), headers: headers)
        }
    }
}

/// The step from the library's connection to a stream of our own.
final class StreamTakeOver {
    private let connection: Connection
    private let acceptor: any StreamAcceptor
    private let context: any StreamContext
    private var isTaken = false

    init(_ connection: Connection, _ acceptor: any StreamAcceptor, _ context: any StreamContext) {
        self.connection = connection
        self.acceptor = acceptor
        self.context = context
    }

    /// Keeps a duplicate of the socket. The library closes its own descriptor without shutting the connection down
    /// (turbo mode) after taking it out of its epoll set, so that the duplicate lives on alone.
    func take() {
        guard !isTaken else { return }
        isTaken = true
        let descriptor = connection.duplicateDescriptor()
        if descriptor >= 0 {
            acceptor.adopt(descriptor, context)
        } else {
            context.failed()
        }
    }

    func abandon() {
        guard !isTaken else { return }
        isTaken = true
        context.failed()
    }
}
