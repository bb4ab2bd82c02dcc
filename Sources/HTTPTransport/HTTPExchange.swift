// One request and its one answer, now or later, from any thread.

import Synchronization

/// The right to answer a request. Letting it go unused answers 500.
package final class HTTPExchange: Sendable {
    private let pending: PendingRequest

    init(_ pending: PendingRequest) {
        self.pending = pending
    }

    deinit { pending.answer(.failure(.unanswered)) }

    /// Answers; only the first answer counts.
    package func send(_ response: HTTPResponse) { pending.answer(.response(response)) }

    /// Answers 200 with these headers and hands the socket over.
    package func stream(
        headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext
    ) {
        pending.answer(.stream(headers: headers, acceptor, context))
    }
}

/// How a request is answered.
enum PendingAnswer: Sendable {
    case response(HTTPResponse)
    case failure(HTTPFailure)
    case stream(headers: [(String, String)], any StreamAcceptor, any StreamContext)
}

/// A request on its way: collected by the worker, answered by anyone.
final class PendingRequest: Sendable {
    private enum State {
        /// The application has it, on the worker's own stack.
        case open
        /// The connection is suspended until the answer comes.
        case suspended
        case answered(PendingAnswer)
        /// The answer is with the library.
        case done
    }

    private let connection: Connection
    private let state = Mutex<State>(.open)
    // nonisolated(unsafe) because: touched by the connection's worker alone.
    nonisolated(unsafe) var body: [UInt8] = []
    nonisolated(unsafe) var isHandled = false

    init(_ connection: Connection) {
        self.connection = connection
    }

    func answer(_ answer: PendingAnswer) {
        state.withLock { state in
            switch state {
            case .open:
                state = .answered(answer)
            case .suspended:
                state = .answered(answer)
                // Under the lock: resuming a connection that is not suspended is undefined.
                connection.resume()
            case .answered, .done:
                break
            }
        }
    }

    /// Takes the answer, or suspends the connection until there is one. Worker only.
    func takeAnswerOrSuspend() -> PendingAnswer? {
        state.withLock { state in
            switch state {
            case .answered(let answer):
                state = .done
                return answer
            case .open:
                state = .suspended
                connection.suspend()
                return nil
            case .suspended, .done:
                return nil
            }
        }
    }
}
