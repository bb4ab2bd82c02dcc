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

    /// The answer won't be given.
    func abandon() {
        switch self {
        case .response, .later, .failure: break
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
            case .answered, .done:
                return false
            }
        }
        if !isTaken { answer.abandon() }
    }

    /// Takes the answer, or suspends the connection until there is one. Worker only.
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
            case .suspended, .done:
                return nil
            }
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
    func release() { answer(.failure(.unanswered)) }
}
