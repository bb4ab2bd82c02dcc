// The work of the callbacks: collects a body, asks the application, and queues its answer.

import CMicroHTTPD
import Glibc
import OperatingSystem
import Synchronization

/// The object behind the daemons' callbacks.
final class RequestServer: Sendable {
    private let application: any HTTPApplication
    private let configuration: HTTPServerConfiguration
    private let connections: Connections
    private let suspensions = Suspensions()
    private let ids = RequestIDs()
    let budget: ByteBudget
    /// The budget of answers that wait to be read.
    let unread: ByteBudget
    /// Requests whose head has arrived and that are not over.
    private let inFlight = Atomic<Int>(0)
    private let isClosing = Atomic(false)

    init(_ application: any HTTPApplication, _ configuration: HTTPServerConfiguration, connections: Connections) {
        self.application = application
        self.configuration = configuration
        self.connections = connections
        budget = ByteBudget(configuration.bodyBudget)
        unread = ByteBudget(configuration.unreadBudget, perOwner: configuration.unreadPerOwner)
    }

    // MARK: - A request, on its worker

    /// Begins a request: its request line has arrived.
    func receive(_ target: [UInt8], on connection: Connection, of worker: Worker) -> PendingRequest {
        connection.session?.renewIntake()
        let target = RequestTarget(
            target, parameterLimit: configuration.parameterLimit, basePath: configuration.basePath)
        let pending = PendingRequest(target, connection, worker, suspensions: suspensions)
        worker.beginRequest(pending)
        return pending
    }

    /// Handles a complete head. Rejects what it can before reading a body.
    /// - Parameters:
    ///   - method: The position of the head.
    ///   - version: The position of the version in it.
    func begin(
        _ pending: PendingRequest, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        inFlight.wrappingAdd(1, ordering: .relaxed)
        pending.worker.recordArrival()
        let isLegacy = unsafe strcmp(version, "HTTP/1.0") == 0
        let facts = unsafe pending.connection.facts(from: method, target: pending.target.count, version: version)
        unsafe pending.intake.begin(
            method: String(cString: method), isLegacy: isLegacy, id: id(of: pending, facts), at: monotonicNow())
        if let failure = facts.failure(of: pending.target, isLegacy: isLegacy, configuration) {
            return turnAway(pending, application.response(for: failure))
        }
        guard facts.hasBody else {
            connections.expectAnswer(pending.place)
            return .YES
        }
        return expectBody(of: pending, facts)
    }

    /// Returns the client's request ID if it is valid, or else a new one.
    private func id(of pending: PendingRequest, _ facts: RequestFacts) -> String {
        let told = facts.hasRequestID ? pending.connection.header("X-Request-ID") : nil
        return told.flatMap { RequestIDs.admitted($0) } ?? ids.next()
    }

    private func expectBody(of pending: PendingRequest, _ facts: RequestFacts) -> MHD_Result {
        // The library may answer `Expect: 100-continue`.
        unsafe pending.connection.record?.hasSent = true
        let decision = application.decide(HTTPRequest(pending))
        unsafe pending.intake.context = decision.context
        unsafe pending.intake.label = decision.label
        unsafe pending.intake.body.expect(facts.length, by: decision, budget)
        if let refusal = unsafe pending.intake.body.refusal,
            unsafe facts.awaitsLeave || !pending.intake.body.isReadToEnd(facts.length)
        {
            return refuse(pending, refusal, isComplete: false)
        }
        if facts.isChunked {
            unsafe pending.intake.chunks.begin(at: facts.body)
            pending.worker.watch(pending)
        }
        connections.expectBody(
            pending.place, within: configuration.bodyTime(of: facts.length ?? decision.limit))
        return .YES
    }

    func collect(_ data: UnsafeRawBufferPointer, for pending: PendingRequest) -> MHD_Result {
        connections.recordProgress(pending.place)
        pending.connection.session?.renewIntake()
        if unsafe pending.intake.body.append(data, budget: budget) { return .YES }
        // A chunked body has no length, so the limit is only noticed here.
        guard unsafe !pending.intake.body.isClosed, let refusal = unsafe pending.intake.body.refusal else { return .NO }
        return turnAway(pending, answer(to: refusal))
    }

    /// Rejects a body with ambiguous or overlong bytes between its chunks.
    func refuseChunks(of pending: PendingRequest) -> MHD_Result {
        unsafe pending.intake.chunks.stop()
        unsafe pending.intake.body.close(budget)
        return turnAway(pending, application.response(for: .malformedChunks))
    }

    /// Answers a request with a complete head that the library is about to reject itself, because it can't read the length
    /// or is out of memory. The library (0.9.75) would send two heads in a row, so this answers instead and stops any
    /// further sending.
    func refuseHead(of pending: PendingRequest) {
        inFlight.wrappingAdd(1, ordering: .relaxed)
        let told = pending.connection.header("X-Request-ID")
        // The library doesn't report the method here.
        unsafe pending.intake.begin(
            method: "-", isLegacy: false, id: told.flatMap { RequestIDs.admitted($0) } ?? ids.next(),
            at: monotonicNow())
        let length = pending.connection.header("Content-Length") ?? "0"
        let isLength = UInt64(length) != nil && length.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let failure: HTTPFailure =
            isLength
            ? RequestFacts.failure(ofSize: pending.connection.headSize, pending.target, configuration)
                ?? .tooManyHeaders(limit: configuration.headerLimit)
            : .ambiguousLength
        _ = turnAway(pending, application.response(for: failure))
        pending.connection.shutSending()
    }

    /// Ends a request whose body the library can't read on.
    func endIfStuck(_ pending: PendingRequest) {
        guard unsafe pending.intake.chunks.isNeeded, let count = pending.connection.bytesRead,
            unsafe pending.intake.chunks.isStuck(at: count)
        else { return }
        _ = refuseChunks(of: pending)
        pending.connection.giveUp()
    }

    /// Handles a complete body, and each later poll for the answer.
    func finish(_ pending: PendingRequest) -> MHD_Result {
        if unsafe !pending.intake.body.isClosed {
            pending.endArrival()
            if let refusal = unsafe pending.intake.body.refusal { return refuse(pending, refusal, isComplete: true) }
            connections.expectAnswer(pending.place)
            application.respond(to: HTTPRequest(pending), on: HTTPResponder(pending))
            unsafe pending.intake.body.close(budget)
        }
        guard let answer = pending.removeAnswer() else { return .YES }
        pending.worker.recordAnswer()
        switch answer {
        case .response(let response): return queue(response, for: pending)
        case .later(let make): return queue(make(), for: pending)
        case .failure(let failure): return queue(application.response(for: failure), for: pending)
        case .stream(let headers, let acceptor, let context):
            return begin(Opening(headers: headers, acceptor: acceptor, context: context), of: pending)
        case .nothing: return .NO
        }
    }

    // MARK: - Streams

    /// What is needed to begin a stream.
    private struct Opening {
        var headers: [(String, String)]
        let acceptor: any StreamAcceptor
        let context: any StreamContext
    }

    private func begin(_ stream: Opening, of pending: PendingRequest) -> MHD_Result {
        guard unsafe pending.intake.method != "HEAD" else {
            stream.context.failed()
            connections.beginSending(pending.place)
            let head = HTTPResponse(status: 200, headers: stream.headers.map { ($0.0, $0.1) })
            report(pending, 200, bytes: 0)
            return pending.connection.queueHead(head.adding(pending.allHeaders))
        }
        let head = unsafe pending.worker.streamHeads.head(
            stream.headers, adding: pending.headers, id: pending.intake.id, isChunked: !pending.intake.isLegacy,
            at: time(nil))
        pending.connection.holdNothingBack()
        if let session = pending.connection.session {
            if lend(session, of: pending, to: stream, head) { return .YES }
        } else if handOver(pending, to: stream, head) {
            return .NO
        }
        stream.context.failed()
        return queue(application.response(for: .noRoomForStream), for: pending)
    }

    /// Lends a connection's TLS session to the acceptor. The session can't be separated from the library, which doesn't
    /// touch a suspended connection, though (0.9.75: it is in no epoll set and no timeout list). So while the connection is
    /// suspended, a stream's loop may use the session in the worker's place.
    /// - Returns: false when the server stops; the connection is not suspended.
    private func lend(
        _ session: TLSSession, of pending: PendingRequest, to stream: Opening, _ head: StreamHead
    ) -> Bool {
        guard pending.beginLoan() else { return false }
        let lent = LentSession(session, descriptor: pending.connection.descriptor, of: pending)
        // Before the loop gets it: from then on the stream may end, and its connection close, at any time.
        connections.lend(pending.place)
        if stream.acceptor.adopt(.session(lent), head: head, stream.context) {
            report(pending, 200, bytes: nil, isStream: true)
        } else {
            stream.context.failed()
            connections.takeBack(pending.place)
            pending.endLoan(with: .failure(.noRoomForStream))
        }
        return true
    }

    /// Takes a stream's socket from the library. The acceptor gets a duplicate; the library drops the connection,
    /// removes its own descriptor from its epoll set and closes it, without a `shutdown` (MHD_USE_TURBO). Ending a response
    /// of unknown length would be cleaner, but 0.9.75 then keeps the dead connection and its descriptor until all older ones
    /// end or time out.
    /// - Returns: false when there is no room or no descriptor; the library still has the connection.
    private func handOver(_ pending: PendingRequest, to stream: Opening, _ head: StreamHead) -> Bool {
        guard let descriptor = pending.connection.duplicateDescriptor(),
            stream.acceptor.adopt(.socket(SharedDescriptor(descriptor)), head: head, stream.context)
        else { return false }
        report(pending, 200, bytes: nil, isStream: true)
        // Both descriptors refer to one socket, so it must no longer be shut here.
        connections.forget(pending.place)
        return true
    }

    func complete(_ pending: PendingRequest) {
        pending.complete()
        pending.connection.session?.renewIntake()
        connections.expectHead(pending.place)
        guard unsafe pending.intake.hasBegun else { return }
        unsafe pending.intake.body.close(budget)
        inFlight.wrappingSubtract(1, ordering: .relaxed)
    }

    // MARK: - Answers

    /// Reports an answer to the application.
    private func report(_ pending: PendingRequest, _ status: Int, bytes: Int?, isStream: Bool = false) {
        application.answered(
            AnsweredRequest(pending, status: status, bytes: bytes, isStream: isStream, now: monotonicNow()))
    }

    /// Reports a complete answer.
    private func report(_ pending: PendingRequest, _ response: HTTPResponse) {
        report(pending, response.status, bytes: unsafe pending.intake.method == "HEAD" ? 0 : response.body.count)
    }

    /// Sends a rejection.
    /// - Parameter isComplete: The request was read to its end.
    private func refuse(
        _ pending: PendingRequest, _ refusal: RequestBody.Refusal, isComplete: Bool
    ) -> MHD_Result {
        unsafe pending.intake.body.close(budget)
        let response = answer(to: refusal)
        if case .judged = refusal, isComplete { return queue(response, for: pending) }
        // The connection must end, since the unread rest may be anything.
        connections.beginSending(pending.place)
        pending.worker.recordAnswer()
        report(pending, response)
        return unsafe pending.connection.queue(response, id: pending.intake.id, closing: true)
    }

    private func answer(to refusal: RequestBody.Refusal) -> HTTPResponse {
        switch refusal {
        case .judged(let response): response
        case .failure(let failure): application.response(for: failure)
        }
    }

    /// Answers a malformed or too large head, or an endless body, and drops the connection. Bypasses the library, which
    /// closes without an answer if the head has used up its memory, and answers a body only when that is complete.
    private func turnAway(_ pending: PendingRequest, _ response: HTTPResponse) -> MHD_Result {
        let reason = unsafe MHD_get_reason_phrase_for(UInt32(clamping: response.status))
        var bytes = unsafe ResponseHead.bytes(
            status: response.status, reason: reason.map { unsafe String(cString: $0) } ?? "",
            (response.headers + pending.allHeaders).map { ($0.name, $0.value) }
                + [("Content-Length", String(response.body.count))],
            at: time(nil))
        report(pending, response)
        if unsafe pending.intake.method != "HEAD" { bytes += response.body }
        // The socket is empty. Bytes that it doesn't accept at once are lost with the connection.
        pending.connection.sendAtOnce(bytes)
        return .NO
    }

    private func queue(_ response: HTTPResponse, for pending: PendingRequest) -> MHD_Result {
        connections.beginSending(pending.place)
        let response = pending.target.isUnderBase ? response.under(configuration.basePath) : response
        let held = response.heldBytes
        if held > 0, unsafe pending.intake.method != "HEAD" { return queue(response, holding: held, for: pending) }
        if let source = response.rest {
            source.ended()
            report(pending, response.status, bytes: 0)
            return pending.connection.queueHead(response.adding(pending.allHeaders))
        }
        report(pending, response)
        return unsafe pending.connection.queue(
            response, adding: pending.headers, id: pending.intake.id, closing: isClosing.load(ordering: .relaxed))
    }

    /// Queues an answer in portions, or 503 if too many bytes are unread. The outcome of a change is always sent: the
    /// application has checked for room before it.
    private func queue(_ response: HTTPResponse, holding held: Int, for pending: PendingRequest) -> MHD_Result {
        let owner = unsafe pending.intake.label.owner
        guard unread.reserve(held, of: owner, isFirst: true, isForced: unsafe pending.intake.method != "GET") else {
            response.rest?.ended()
            return queue(application.response(for: .tooManyUnread), for: pending)
        }
        report(pending, response.status, bytes: response.rest == nil ? response.body.count : nil)
        let body = StreamedBody(
            response, of: pending, suspensions: suspensions,
            room: UnreadRoom(budget: unread, bytes: held, owner: owner))
        return pending.connection.queue(
            response.adding(pending.allHeaders), body: body, closing: isClosing.load(ordering: .relaxed))
    }

    // MARK: - Start and stop, on any thread

    func open() {
        isClosing.store(false, ordering: .relaxed)
        suspensions.open()
    }

    /// Makes each further answer end its connection.
    func closeAfterAnswers() { isClosing.store(true, ordering: .relaxed) }

    /// Answers all suspended requests and cuts all suspended bodies. None is suspended from then on; requests that wait
    /// otherwise are answered as usual.
    func answerAll() {
        for suspended in suspensions.close() { suspended.release() }
    }

    var hasRequests: Bool { inFlight.load(ordering: .relaxed) > 0 }

    /// Whether streams still use TLS sessions of the library. After `answerAll`, no new loan is possible.
    var hasLoans: Bool { suspensions.loans.load(ordering: .acquiring) > 0 }
}
