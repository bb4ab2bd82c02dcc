// A request on its way: collected by the worker, answered by anyone, completed by the worker.
//
// A request that waits is asked for again and again by the library, and only suspended when that goes on for long.
// Mark-and-suspend and unmark-and-resume happen under one lock, since resuming a connection that is not suspended is
// undefined; and nothing leaves the registry of what is suspended before its worker knows that it is to be resumed, so that a
// stop finds it in either. Locks are taken in one order: this request's, the registry's, the worker's.

import Synchronization

/// How a request is answered.
enum PendingAnswer: Sendable {
    case response(HTTPResponse)
    /// Made when it is sent.
    case later(@Sendable () -> HTTPResponse)
    case failure(HTTPFailure)
    case portions(HTTPResponse, any BodySource)
    case stream(headers: [(String, String)], any StreamAcceptor, any StreamContext)
    /// What there was to send is sent; the connection ends.
    case nothing

    /// The answer won't be given.
    func abandon() {
        switch self {
        case .response, .later, .failure, .nothing: break
        case .portions(_, let source): source.ended()
        case .stream(_, _, let context): context.failed()
        }
    }
}

/// What comes of a request after its first line.
struct RequestIntake {
    /// The head is complete.
    private(set) var hasBegun = false
    private(set) var method = ""
    /// Monotonic nanoseconds at which the head was complete.
    private(set) var began: Int64 = 0
    /// The name that its answer carries.
    private(set) var id = ""
    /// What the application says of it.
    var label = RequestLabel()
    /// HTTP/1.0.
    private(set) var isLegacy = false
    var body = RequestBody()
    /// What stands around its chunks.
    var chunks = ChunkWatch()
    /// Its place among its worker's requests that are not complete.
    var place = 0
    /// Its place among those whose chunks are watched; nil where they aren't.
    var watchedPlace: Int?
    /// What the application made of the head.
    var context: (any Sendable)?
    /// It is complete.
    var hasArrived = false
    /// Since when it waits for its answer without being suspended.
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
        /// The application has it, on the worker's own stack.
        case open
        /// The library asks for the answer in each of its turns.
        case waiting
        /// The connection is suspended until the answer comes; the number is its place in the registry.
        case suspended(Int)
        case answered(PendingAnswer)
        /// The answer is with the library, or the request is over.
        case done
        /// The connection is suspended while a stream has its TLS session; the number is its place in the registry.
        case lent(Int)
        /// The stream is over, and with it the connection.
        case returned
    }

    let target: RequestTarget
    let connection: Connection
    let worker: Worker
    /// The connection's place in the table of connections.
    let place: Int
    private let suspensions: Suspensions
    private let state = Mutex<State>(.open)
    /// Of one that waits: the answer has come. ServiceRequest in each turn, before the lock, which whoever answers may hold.
    private let isAnswered = Atomic(false)
    // nonisolated(unsafe) because: touched by the connection's worker alone.
    nonisolated(unsafe) var intake = RequestIntake()
    // nonisolated(unsafe) because: touched by the connection's worker alone.
    nonisolated(unsafe) var headers: [(name: String, value: String)] = []

    /// What goes with the answer, its name included. Worker only.
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

    /// What is left to do for an answer when the lock is let go.
    private enum Delivery {
        case none
        /// The worker looks at each of its turns, and has to take one.
        case wake
        case abandon
    }

    /// Sets the answer, once; from any thread.
    func answer(_ answer: PendingAnswer) {
        let delivery: Delivery = state.withLock { state in
            switch state {
            case .open:
                state = .answered(answer)
                return .none
            case .waiting:
                state = .answered(answer)
                return .wake
            case .suspended(let place):
                state = .answered(answer)
                worker.resume(connection)
                suspensions.remove(place)
                return .none
            case .answered, .done, .lent, .returned:
                return .abandon
            }
        }
        switch delivery {
        case .none: break
        case .wake:
            // Told without the lock, which the worker then takes: it would have to wait until it is woken.
            isAnswered.store(true, ordering: .releasing)
            worker.wake()
        case .abandon: answer.abandon()
        }
    }

    /// Takes the answer, or has it waited for. Worker only.
    /// - Returns: nil when there is none yet.
    func takeAnswer() -> PendingAnswer? {
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
                guard let place = suspensions.insert(self) else {
                    state = .done
                    return .failure(.unanswered)
                }
                state = .suspended(place)
                connection.suspend()
                return nil
            case .returned:
                return .nothing
            case .suspended, .done, .lent:
                return nil
            }
        }
    }

    /// Whether it waits, and may go on. Worker only.
    func goesOnWaiting() -> Bool {
        guard let since = unsafe intake.waitsSince, !isAnswered.load(ordering: .acquiring) else { return false }
        return worker.lets(since)
    }

    /// It is complete, or won't ever be. Worker only.
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

    /// Suspends the connection for as long as a stream has its TLS session, whose answer was taken. Worker only.
    /// - Returns: false when the server stops.
    func beginLoan() -> Bool {
        state.withLock { state in
            guard case .done = state, let place = suspensions.insert(self) else { return false }
            state = .lent(place)
            suspensions.loans.wrappingAdd(1, ordering: .relaxed)
            connection.suspend()
            return true
        }
    }

    /// The stream is over, or never began: the library has the session again.
    /// - Parameter answer: What is to come of the request now.
    func endLoan(with answer: PendingAnswer? = nil) {
        state.withLock { state in
            guard case .lent(let place) = state else { return }
            state = answer.map { .answered($0) } ?? .returned
            worker.resume(connection)
            suspensions.remove(place)
            suspensions.loans.wrappingSubtract(1, ordering: .releasing)
        }
    }

    /// The request is over, whatever became of it; the connection may go. Worker only.
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
            // Not resumed here: the session is its loop's, which finds the socket shut and gives it back.
            connection.shut()
            return true
        }
        if !isLent { answer(.failure(.unanswered)) }
    }
}
