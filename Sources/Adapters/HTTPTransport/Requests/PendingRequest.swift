// A pending request: the worker collects it, any thread answers it, the worker completes it.
//
// The library polls a waiting request in each of its turns; the request is only suspended if that lasts long, or if too many
// wait. The state changes to `.suspended` and back under the lock that suspends and resumes the connection, since resuming one
// that is not suspended is undefined. A request leaves the registry of suspensions only after its worker knows that it must
// resume it, so a stop finds it in the registry or in its worker's mailbox. Locks are taken in this order: the request's, the registry's, the worker's.

import Synchronization

/// How a request is answered.
enum PendingAnswer: Sendable {
    case response(HTTPResponse)
    /// Made when it is sent.
    case later(@Sendable () -> HTTPResponse)
    case failure(HTTPFailure)
    case stream(headers: [(String, String)], any StreamAcceptor, any StreamContext)
    /// All that could be sent was sent; the connection ends.
    case nothing

    /// Releases an answer that won't be sent.
    func abandon() {
        switch self {
        case .later, .failure, .nothing: break
        case .response(let response): response.rest?.ended()
        case .stream(_, _, let context): context.failed()
        }
    }
}

/// The state of a request while it arrives.
struct RequestIntake {
    /// The head is complete.
    private(set) var hasBegun = false
    private(set) var method = ""
    /// Monotonic nanoseconds when the head was complete.
    private(set) var began: Int64 = 0
    /// The request ID, which its answer carries.
    private(set) var id = ""
    /// The application's description of it.
    var label = RequestLabel()
    /// HTTP/1.0.
    private(set) var isLegacy = false
    var body = RequestBody()
    /// Checks the bytes between its chunks.
    var chunks = ChunkWatch()
    /// Its index in its worker's list of incomplete requests.
    var index = 0
    /// Its index in its worker's list of requests whose chunks are checked; nil if they aren't.
    var watchedIndex: Int?
    /// The context that the application returned for the head.
    var context: (any AnyObject & Sendable)?
    /// The request is complete.
    var hasArrived = false
    /// The start of its wait for an answer without being suspended.
    var waitsSince: Int64?

    mutating func begin(method: String, isLegacy: Bool, id: String, at now: Int64) {
        hasBegun = true
        self.method = method
        self.isLegacy = isLegacy
        self.id = id
        began = now
    }
}

/// A request and the state of its answer.
final class PendingRequest: Sendable {
    private enum State {
        /// It arrives, or the application has it on the worker's own stack; the library doesn't wait for an answer yet.
        case open
        /// The library polls for the answer in each of its turns.
        case waiting
        /// The connection is suspended until the answer comes; the number is its key in the registry.
        case suspended(Int)
        case answered(PendingAnswer)
        /// The library has the answer, or the request is over.
        case done
        /// The connection is suspended while a stream uses its TLS session; the number is its key in the registry.
        case lent(Int)
        /// The stream is over, and so is the connection.
        case returned
    }

    let target: RequestTarget
    let connection: Connection
    let worker: Worker
    /// The connection's place in the connection table.
    let place: Int
    private let suspensions: Suspensions
    private let state = Mutex<State>(.open)
    /// A waiting request has its answer. Checked in each turn, before taking the lock, which the answering thread may hold.
    private let isAnswered = Atomic(false)
    // nonisolated(unsafe) because: only the connection's worker touches it.
    nonisolated(unsafe) var intake = RequestIntake()
    // nonisolated(unsafe) because: only the connection's worker touches it.
    nonisolated(unsafe) var headers: [(name: String, value: String)] = []

    /// The answer's additional headers and its request ID. Worker only.
    var allHeaders: [(name: String, value: String)] {
        unsafe headers + [(name: RequestIDs.header, value: intake.id)]
    }

    init(_ target: RequestTarget, _ connection: Connection, _ worker: Worker, suspensions: Suspensions) {
        self.worker = worker
        self.target = target
        self.connection = connection
        place = connection.place
        self.suspensions = suspensions
    }

    /// What remains to be done for an answer after releasing the lock.
    private enum Delivery {
        case none
        /// Wake the worker: it polls in each turn and needs to take one.
        case wake
        case abandon
    }

    /// Sets the answer, once. Any thread may call this.
    func answer(_ answer: PendingAnswer) {
        let delivery: Delivery = state.withLock { state in
            switch state {
            case .open:
                state = .answered(answer)
                return .none
            case .waiting:
                state = .answered(answer)
                return .wake
            case .suspended(let key):
                state = .answered(answer)
                worker.resume(connection)
                suspensions.remove(key)
                return .none
            case .answered, .done, .lent, .returned:
                return .abandon
            }
        }
        switch delivery {
        case .none: break
        case .wake:
            // After releasing the lock, which the woken worker takes.
            isAnswered.store(true, ordering: .releasing)
            worker.wake()
        case .abandon: answer.abandon()
        }
    }

    /// Takes the answer, or begins to wait for it. Worker only.
    /// - Returns: nil if there is none yet.
    func removeAnswer() -> PendingAnswer? {
        state.withLock { state in
            switch state {
            case .answered(let answer):
                endWait()
                state = .done
                return answer
            case .open, .waiting:
                if unsafe worker.lets(intake.waitsSince) {
                    if unsafe intake.waitsSince == nil { unsafe intake.waitsSince = worker.beginWait() }
                    state = .waiting
                    return nil
                }
                endWait()
                guard let key = suspensions.insert(self) else {
                    state = .done
                    return .failure(.unanswered)
                }
                state = .suspended(key)
                connection.suspend()
                return nil
            case .returned:
                return .nothing
            case .suspended, .done, .lent:
                return nil
            }
        }
    }

    /// Returns whether it waits and may continue to. Worker only.
    func goesOnWaiting() -> Bool {
        guard let since = unsafe intake.waitsSince, !isAnswered.load(ordering: .acquiring) else { return false }
        return worker.lets(since)
    }

    /// Ends the arrival: the request is complete, or never will be. Worker only.
    func endArrival() {
        guard unsafe !intake.hasArrived else { return }
        unsafe intake.hasArrived = true
        worker.endRequest(self)
    }

    private func endWait() {
        guard unsafe intake.waitsSince != nil else { return }
        unsafe intake.waitsSince = nil
        worker.endWait()
    }

    /// Suspends the connection while a stream uses its TLS session. The answer must have been taken. Worker only.
    /// - Returns: false when the server stops.
    func beginLoan() -> Bool {
        state.withLock { state in
            guard case .done = state, let key = suspensions.insert(self) else { return false }
            state = .lent(key)
            suspensions.loans.wrappingAdd(1, ordering: .relaxed)
            connection.suspend()
            return true
        }
    }

    /// Returns the session to the library: the stream is over, or never began.
    /// - Parameter answer: The request's answer, if it still needs one.
    func endLoan(with answer: PendingAnswer? = nil) {
        state.withLock { state in
            guard case .lent(let key) = state else { return }
            state = answer.map { .answered($0) } ?? .returned
            worker.resume(connection)
            suspensions.remove(key)
            suspensions.loans.wrappingSubtract(1, ordering: .releasing)
        }
    }

    /// Ends the request in any state; the connection may close. Worker only.
    func complete() {
        endArrival()
        endWait()
        let unused: PendingAnswer? = state.withLock { state in
            defer { state = .done }
            if case .answered(let answer) = state { return answer }
            return nil
        }
        unused?.abandon()
    }
}

extension PendingRequest: Suspended {
    func release() {
        let isLent = state.withLock { state in
            guard case .lent = state else { return false }
            // Not resumed here: the stream's loop uses the session, notices the shut socket and returns it.
            connection.shut()
            return true
        }
        if !isLent { answer(.failure(.unanswered)) }
    }
}
