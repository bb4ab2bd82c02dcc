// What the callbacks do: collect a body, ask the application, give the library its answer.

import CMicroHTTPD
import Glibc
import Synchronization

/// The object behind a daemon's callbacks.
final class RequestServer: Sendable {
    private let application: any HTTPApplication
    private let suspensions = Suspensions()
    /// Requests whose head has come and that are not over.
    private let inFlight = Atomic<Int>(0)
    private let isClosing = Atomic(false)

    init(_ application: any HTTPApplication) {
        self.application = application
    }

    // MARK: - A request, on its worker

    /// The head is here; a body that says it is too long is refused before it is read.
    func begin(_ connection: Connection) -> (PendingRequest, MHD_Result) {
        let pending = PendingRequest(connection, suspensions: suspensions)
        inFlight.wrappingAdd(1, ordering: .relaxed)
        // One body for us and another for a proxy in front is how requests are smuggled: nothing of it is read.
        guard connection.hasPlainLength else { return (pending, .NO) }
        let limit = application.bodyLimit
        guard let length = connection.header("Content-Length").flatMap({ Int($0) }), length > limit else {
            return (pending, .YES)
        }
        unsafe pending.body.isClosed = true
        return (pending, queue(application.response(for: .bodyTooLarge(limit: limit)), on: connection))
    }

    func collect(_ data: UnsafeRawBufferPointer, for pending: PendingRequest) -> MHD_Result {
        unsafe pending.body.append(data, limit: application.bodyLimit) ? .YES : .NO
    }

    /// The body is complete, or the connection has been resumed.
    func finish(
        _ pending: PendingRequest, on connection: Connection, method: String, path: UnsafePointer<CChar>,
        isLegacy: Bool
    ) -> MHD_Result {
        if unsafe !pending.body.isClosed {
            let limit = application.bodyLimit
            if unsafe pending.body.isLonger(than: limit) {
                return queue(application.response(for: .bodyTooLarge(limit: limit)), on: connection)
            }
            let request = unsafe HTTPRequest(
                method: method, path: String(cString: path), body: pending.body.take(), connection: connection)
            application.respond(to: request, on: HTTPExchange(pending))
        }
        switch pending.takeAnswerOrSuspend() {
        case nil: return .YES
        case .response(let response): return queue(response, on: connection)
        case .failure(let failure): return queue(application.response(for: failure), on: connection)
        case .portions(let head, let source):
            guard method != "HEAD" else {
                source.ended()
                return connection.queueHead(head)
            }
            let body = StreamedBody(source, on: connection, suspensions: suspensions, endsByClosing: isLegacy)
            return connection.queue(head, body: body, closing: isClosing.load(ordering: .relaxed))
        case .stream(let headers, let acceptor, let context):
            guard method != "HEAD" else {
                context.failed()
                return connection.queueHead(HTTPResponse(status: 200, headers: headers.map { ($0.0, $0.1) }))
            }
            handOver(connection, headers, acceptor, context)
            return .NO
        }
    }

    /// Takes a stream's socket from the library: a duplicate of it goes to the acceptor, and the library, told to give
    /// the connection up, takes its own descriptor out of its epoll set and closes it, without a `shutdown`
    /// (MHD_USE_TURBO). Ending a response of unknown length would be the tamer way, but 0.9.75 then keeps the dead
    /// connection, with its descriptor, until all that are older are gone or time out.
    private func handOver(
        _ connection: Connection, _ headers: [(String, String)], _ acceptor: any StreamAcceptor,
        _ context: any StreamContext
    ) {
        let descriptor = connection.duplicateDescriptor()
        if descriptor >= 0 {
            acceptor.adopt(descriptor, head: StreamHead.bytes(headers, at: time(nil)), context)
        } else {
            context.failed()
        }
    }

    func complete(_ pending: PendingRequest) {
        pending.complete()
        inFlight.wrappingSubtract(1, ordering: .relaxed)
    }

    private func queue(_ response: HTTPResponse, on connection: Connection) -> MHD_Result {
        connection.queue(response, closing: isClosing.load(ordering: .relaxed))
    }

    // MARK: - Start and stop, on any thread

    func open() {
        isClosing.store(false, ordering: .relaxed)
        suspensions.open()
    }

    /// Every answer from now on ends its connection.
    func closeAfterAnswers() { isClosing.store(true, ordering: .relaxed) }

    /// Answers every request that is suspended, and cuts every body that is; none will be any more.
    func answerAll() {
        for suspended in suspensions.close() { suspended.release() }
    }

    var hasRequests: Bool { inFlight.load(ordering: .relaxed) > 0 }
}
