// A request on its way: collected by the worker, answered by anyone, completed by the worker.
//
// Mark-and-suspend and unmark-and-resume happen under one lock, since resuming a connection that is not suspended is
// undefined. Locks are taken in one order: this request's, the registry's of what is suspended, the library's.

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
    /// HTTP/1.0.
    private(set) var isLegacy = false
    var body = RequestBody()
    /// What the application made of the head.
    var note: (any Sendable)?

    mutating func begin(method: String, isLegacy: Bool) {
        hasBegun = true
        self.method = method
        self.isLegacy = isLegacy
    }
}

/// A request and the state of its answer.
final class PendingRequest: Sendable {
    private enum State {
        /// The application has it, on the worker's own stack.
        case open
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
    /// The connection's place in the table of connections.
    let place: Int
    private let suspensions: Suspensions
    private let state = Mutex<State>(.open)
    // nonisolated(unsafe) because: touched by the connection's worker alone.
    nonisolated(unsafe) var intake = RequestIntake()
    // nonisolated(unsafe) because: touched by the connection's worker alone.
    nonisolated(unsafe) var headers: [(name: String, value: String)] = []

    init(_ target: RequestTarget, _ connection: Connection, suspensions: Suspensions) {
        self.target = target
        self.connection = connection
        place = connection.place
        self.suspensions = suspensions
    }

    /// Sets the answer, once; from any thread.
    func answer(_ answer: PendingAnswer) {
        let isTaken = state.withLock { state in
            switch state {
            case .open:
                state = .answered(answer)
                return true
            case .suspended(let place):
                state = .answered(answer)
                suspensions.remove(place)
                connection.resume()
                return true
            case .answered, .done, .lent, .returned:
                return false
            }
        }
        if !isTaken { answer.abandon() }
    }

    /// Takes the answer, or suspends the connection until there is one. Worker only.
    /// - Returns: nil when the connection is suspended.
    func takeAnswerOrSuspend() -> PendingAnswer? {
        state.withLock { state in
            switch state {
            case .answered(let answer):
                state = .done
                return answer
            case .open:
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
            suspensions.remove(place)
            connection.resume()
            suspensions.loans.wrappingSubtract(1, ordering: .releasing)
        }
    }

    /// The request is over, whatever became of it; the connection may go. Worker only.
    func complete() {
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
